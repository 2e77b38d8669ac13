//! Ready-made webs, each for one use.

use crate::spec::{ChangeMix, Faults, RobotsMix, Spec};

impl Spec {
    /// The web of `gannet demo`: everything a crawler meets, in moderation.
    pub fn demo() -> Spec {
        Spec {
            seed: 2026,
            hosts: 300,
            pages: 24_000,
            tunnels: 0.3,
            faults: moderate_faults(),
            robots: varied_robots(),
            change: lively_change(),
            latency_micros: 2_000,
            ..Spec::default()
        }
    }

    /// A small finite web with a few transient faults, for crash tests.
    pub fn small(seed: u64) -> Spec {
        Spec {
            seed,
            hosts: 20,
            pages: 400,
            topic_share: 0.1,
            page_bytes: 2_000,
            faults: Faults {
                redirect_same_host: 0.02,
                redirect_cross_host: 0.02,
                not_found: 0.02,
                unavailable: 0.02,
                flaky: 0.02,
                transient_attempts: 1,
                retry_after_seconds: 1,
                ..Faults::default()
            },
            ..Spec::default()
        }
    }

    /// A finite web with every kind of robots.txt, for politeness tests.
    pub fn polite(seed: u64) -> Spec {
        Spec {
            seed,
            hosts: 50,
            pages: 1_500,
            topic_share: 0.1,
            page_bytes: 2_000,
            robots: RobotsMix {
                missing: 0.15,
                private: 0.2,
                crawl_delay: 0.1,
                agent_group: 0.1,
                closed: 0.05,
                server_error: 0.06,
                redirected: 0.1,
                crawl_delay_seconds: 0.2,
            },
            ..Spec::default()
        }
    }

    /// Large, link-rich, faultless pages, for measuring throughput.
    pub fn bench() -> Spec {
        Spec { hosts: 64, pages: 50_000, links_per_page: 60, page_bytes: 20_000, ..Spec::default() }
    }

    /// Most of the topic hides behind chains of irrelevant pages.
    pub fn tunnels() -> Spec {
        Spec {
            seed: 3,
            hosts: 120,
            pages: 12_000,
            topic_share: 0.04,
            tunnels: 1.0,
            ..Spec::default()
        }
    }

    /// The topic clusters strongly and anchors tell the truth.
    pub fn easy() -> Spec {
        Spec {
            seed: 4,
            hosts: 120,
            pages: 12_000,
            topic_share: 0.06,
            locality: 0.9,
            telling_anchors: 0.95,
            mixed_pages: 0.0,
            ..Spec::default()
        }
    }

    /// A rare topic among many, with mixed pages and weak anchors.
    pub fn many_topics() -> Spec {
        Spec {
            seed: 5,
            hosts: 200,
            pages: 20_000,
            other_topics: 19,
            topic_share: 0.03,
            locality: 0.55,
            telling_anchors: 0.5,
            mixed_pages: 0.3,
            ..Spec::default()
        }
    }

    /// Honest hosts, a few of which have calendars, mazes and mirrors that promise the topic.
    pub fn traps() -> Spec {
        Spec {
            seed: 7,
            hosts: 120,
            pages: 12_000,
            topic_share: 0.06,
            faults: Faults {
                trap_hosts: 0.03,
                maze_hosts: 0.02,
                mirror_hosts: 0.02,
                ..Faults::default()
            },
            ..Spec::default()
        }
    }

    /// A few hosts whose pages each attack the crawler in one way.
    pub fn hostile() -> Spec {
        Spec {
            seed: 6,
            hosts: 8,
            pages: 160,
            topic_share: 0.2,
            page_bytes: 2_000,
            hostile: true,
            ..Spec::default()
        }
    }
}

fn moderate_faults() -> Faults {
    Faults {
        redirect_same_host: 0.015,
        redirect_cross_host: 0.01,
        redirect_chain: 0.004,
        redirect_loop: 0.002,
        not_found: 0.015,
        gone: 0.004,
        server_error: 0.004,
        unavailable: 0.006,
        too_many: 0.003,
        flaky: 0.005,
        plain_text: 0.006,
        binary: 0.006,
        json: 0.004,
        empty: 0.003,
        duplicate: 0.02,
        transient_attempts: 2,
        retry_after_seconds: 1,
        decorated_links: 0.08,
        slow_hosts: 0.04,
        slow_micros: 40_000,
        trap_hosts: 0.03,
        ..Faults::default()
    }
}

fn varied_robots() -> RobotsMix {
    RobotsMix {
        missing: 0.2,
        private: 0.15,
        crawl_delay: 0.04,
        agent_group: 0.03,
        closed: 0.01,
        server_error: 0.01,
        redirected: 0.04,
        crawl_delay_seconds: 1.0,
    }
}

fn lively_change() -> ChangeMix {
    ChangeMix {
        yearly: 0.2,
        monthly: 0.15,
        weekly: 0.12,
        daily: 0.08,
        hourly: 0.02,
        born_later: 0.06,
        vanishing: 0.03,
        noisy_hosts: 0.2,
        ..ChangeMix::default()
    }
}
