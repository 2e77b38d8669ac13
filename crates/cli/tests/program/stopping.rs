//! Stopping a crawl, and looking at it from another process while it runs.

use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::world::{Ran, World};

/// Waits until a running crawl has answers to show, as another process sees it.
#[track_caller]
pub(crate) fn wait_for_answers(world: &World, running: &mut Running) {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let ran = world.run(&["status", "--format", "json"]);
        let status: Option<serde_json::Value> = serde_json::from_str(&ran.stdout).ok();
        let is_answered = |status: &serde_json::Value| {
            status["state"] == "running" && status["answered"].as_u64() > Some(0)
        };
        if status.as_ref().is_some_and(is_answered) {
            return;
        }
        assert!(running.is_running(), "the crawl ended by itself");
        assert!(Instant::now() < patience, "no answers: {}", ran.stderr);
    }
}

/// A running crawl, ended with the test whatever comes of it.
pub(crate) struct Running(Option<Child>);

impl Running {
    /// Starts a crawl that takes long enough to be looked at: a second between two requests.
    pub(crate) fn start(world: &World) -> Running {
        let seed = world.seed();
        let mut command = world.command(&["crawl", &seed, "--format", "json"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Running(Some(child))
    }

    fn id(&self) -> u32 {
        self.0.as_ref().unwrap().id()
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.0.as_mut().unwrap().try_wait().unwrap().is_none()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.id()).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    pub(crate) fn wait(mut self) -> Output {
        self.0.take().unwrap().wait_with_output().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

#[test]
fn a_running_crawl_is_seen_from_outside_and_stops_in_good_order() {
    let world = World::with_delay("1s");
    let mut running = Running::start(&world);
    wait_for_answers(&world, &mut running);
    let status = world.json(&["status", "--format", "json"]);
    assert_eq!(status["pid"], running.id());
    assert!(!status["holdback"].as_str().unwrap().is_empty());
    world.run(&["pages"]).expect(4, &["in use by another gannet process"]);

    running.signal(Signal::INT);
    let ran = Ran::from(running.wait());
    ran.expect(6, &["stopping", "goes on from here"]);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["finish_reason"], "interrupted");
    assert_eq!(summary["exit"], "interrupted");

    let status = world.json(&["status", "--format", "json"]);
    assert_eq!(status["state"], "stopped");
    assert_eq!(status["finish_reason"], "interrupted");
    assert_eq!(status["answered"], summary["answered"]);
}

#[test]
fn a_killed_crawl_is_told_from_a_running_one_and_goes_on() {
    let world = World::with_delay("1s");
    let mut running = Running::start(&world);
    wait_for_answers(&world, &mut running);
    running.signal(Signal::KILL);
    running.wait();
    let status = world.json(&["status", "--format", "json"]);
    assert_eq!(status["state"], "interrupted");
    let answered = status["answered"].as_u64().unwrap();
    assert!(answered > 0);
    let limit = (answered + 1).to_string();
    let summary = world.json(&["crawl", "--max-pages", &limit, "--format", "json"]);
    assert_eq!(summary["answered"], answered + 1);
}
