//! What `gannet explain` tells, with stable field names.

use gannet_engine::{Explanation, PlannedVisit, RobotsView, ScopeView};
use gannet_model::{Judgement, Reasons, Timestamp};
use gannet_store::{Found, HostRecord, How, Status, VisitNumber, VisitRecord, Visited};
use serde::Serialize;

use crate::commands::plan::VisitPlan;
use crate::listing::{ArchiveFiles, ArchiveRow, answer_of};
use crate::status_file::hexadecimal;
use crate::table::one_line;

/// Everything known of one URL.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The URL in canonical form.
    pub(crate) url: String,
    /// `unknown`, `queued`, `scheduled`, `fetched`, `redirected`, `failed` or `skipped`.
    pub(crate) state: &'static str,
    /// How it was found; null when the crawl never came across it.
    pub(crate) found: Option<FoundReport>,
    /// The pages that led to it, from its parent up to a seed.
    pub(crate) chain: Vec<AncestorReport>,
    /// What a visit was last thought to be worth.
    pub(crate) worth: Option<f32>,
    /// What that worth is made of.
    pub(crate) worth_reasons: Vec<ReasonReport>,
    /// Why it stands as it does, in words.
    pub(crate) because: Option<String>,
    /// What the scope says of it now.
    pub(crate) scope: ScopeReport,
    /// What robots.txt says of it.
    pub(crate) robots: RobotsReport,
    /// What is planned, as a sentence.
    pub(crate) plan: String,
    /// When a watch returns to it, and why; null when none does.
    pub(crate) revisit: Option<VisitPlan>,
    /// What a person said of it; null when nobody did.
    pub(crate) label: Option<LabelReport>,
    /// The version of the model that judged it last; null when that is not recorded.
    pub(crate) model: Option<ModelReport>,
    /// The host's state; null when it is unknown.
    pub(crate) host: Option<HostReport>,
    /// Every visit, newest first.
    pub(crate) visits: Vec<VisitReport>,
}

#[derive(Debug, Serialize)]
pub(crate) struct FoundReport {
    /// `seed`, `link`, `redirect`, `refresh`, `canonical` or `ancestor`.
    pub(crate) how: &'static str,
    pub(crate) at: String,
    /// Links from a seed.
    pub(crate) depth: u32,
    pub(crate) anchor: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct AncestorReport {
    pub(crate) url: String,
    pub(crate) how: &'static str,
    /// The words of the link to it.
    pub(crate) anchor: String,
    pub(crate) depth: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct ReasonReport {
    pub(crate) part: String,
    pub(crate) value: f32,
    pub(crate) note: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct ScopeReport {
    pub(crate) accepted: bool,
    /// The rule that refuses it.
    pub(crate) because: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct RobotsReport {
    /// `allowed`, `disallowed` or `unknown`.
    pub(crate) ruling: &'static str,
    /// The line that decides, or what keeps us from knowing.
    pub(crate) because: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct LabelReport {
    pub(crate) relevant: bool,
    pub(crate) at: String,
    pub(crate) relative: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ModelReport {
    pub(crate) name: String,
    pub(crate) version: String,
    /// When it began to judge.
    pub(crate) made_at: String,
    /// What made it, in words.
    pub(crate) because: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct HostReport {
    pub(crate) name: String,
    /// When it may be contacted again, in RFC 3339.
    pub(crate) ready_at: String,
    /// Why not sooner.
    pub(crate) hold: String,
    pub(crate) throttles: u32,
    pub(crate) down_since: Option<String>,
    pub(crate) pages: u64,
    pub(crate) relevant: u64,
    pub(crate) errors: u64,
    pub(crate) failures: u64,
}

#[derive(Debug, Serialize)]
pub(crate) struct VisitReport {
    pub(crate) number: VisitNumber,
    pub(crate) at: String,
    pub(crate) took_seconds: f64,
    /// `page`, `answer`, `redirect` or `failure`.
    pub(crate) outcome: &'static str,
    pub(crate) status: Option<u16>,
    pub(crate) media_type: Option<String>,
    pub(crate) wire_bytes: Option<u64>,
    pub(crate) body_bytes: Option<u64>,
    pub(crate) title: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) links: Option<u32>,
    pub(crate) new_links: Option<u32>,
    pub(crate) judgement: Option<JudgementReport>,
    /// Where a redirect leads.
    pub(crate) redirect: Option<String>,
    /// What went wrong.
    pub(crate) failure: Option<String>,
    pub(crate) archive: Option<ArchiveRow>,
}

#[derive(Debug, Serialize)]
pub(crate) struct JudgementReport {
    pub(crate) relevant: bool,
    pub(crate) score: f32,
    pub(crate) threshold: f32,
    pub(crate) model: String,
    /// In hexadecimal: JSON's numbers are too small for it.
    pub(crate) version: String,
    pub(crate) reasons: Vec<ReasonReport>,
}

impl Report {
    /// Adds when a watch returns to the page.
    pub(crate) fn will_return(&mut self, planned: Option<PlannedVisit>) {
        let Some(planned) = planned else { return };
        if matches!(self.state, "fetched" | "gone") {
            self.plan = format!("{}; a watch returns at {}", self.state, planned.due);
        }
        self.revisit = Some(planned.into());
    }

    pub(crate) fn new(
        explanation: &Explanation,
        files: &mut ArchiveFiles,
        now: Timestamp,
    ) -> Report {
        let record = explanation.record.as_ref();
        Report {
            url: explanation.url.to_string(),
            state: explanation.status(),
            found: record.map(|record| found(&record.found)),
            chain: explanation
                .ancestry
                .iter()
                .map(|ancestor| AncestorReport {
                    url: ancestor.url.to_string(),
                    how: how_name(ancestor.found.how),
                    anchor: ancestor.found.anchor.clone(),
                    depth: ancestor.found.depth,
                })
                .collect(),
            worth: record.map(|record| record.worth.get()),
            worth_reasons: record
                .map(|record| ReasonReport::all(&record.reasons))
                .unwrap_or_default(),
            because: record.map(|record| record.because.clone()).filter(|text| !text.is_empty()),
            scope: match &explanation.scope {
                ScopeView::Accepted => ScopeReport { accepted: true, because: None },
                ScopeView::Refused(rule) => {
                    ScopeReport { accepted: false, because: Some(rule.clone()) }
                }
            },
            robots: robots(&explanation.robots),
            plan: plan(explanation),
            revisit: None,
            label: explanation.label.as_ref().map(|label| LabelReport {
                relevant: label.relevant,
                at: label.at.to_string(),
                relative: label.relative.clone(),
            }),
            model: explanation.model.as_ref().map(|model| ModelReport {
                name: model.name.clone(),
                version: hexadecimal(model.version),
                made_at: model.made.to_string(),
                because: model.because.clone(),
            }),
            host: explanation.host.as_ref().map(|host| host_report(host, now)),
            visits: explanation
                .visits
                .iter()
                .map(|(number, visit)| visit_report(*number, visit, files))
                .collect(),
        }
    }
}

fn found(found: &Found) -> FoundReport {
    FoundReport {
        how: how_name(found.how),
        at: found.at.to_string(),
        depth: found.depth,
        anchor: found.anchor.clone(),
    }
}

fn how_name(how: How) -> &'static str {
    match how {
        How::Seed => "seed",
        How::Link(_) => "link",
        How::Redirect => "redirect",
        How::Refresh => "refresh",
        How::Canonical => "canonical",
        How::Ancestor => "ancestor",
        How::Listed => "listed",
        How::Attached(_) => "attached",
    }
}

impl ReasonReport {
    /// The parts of a decision, in their order.
    pub(crate) fn all(reasons: &Reasons) -> Vec<ReasonReport> {
        let report = |reason: &gannet_model::Reason| ReasonReport {
            part: reason.part.to_string(),
            value: reason.value,
            note: reason.note.to_string(),
        };
        reasons.iter().map(report).collect()
    }

    /// As one line for a person.
    pub(crate) fn line(&self) -> String {
        // What rounds to nothing has no sign.
        let value = (self.value * LINE_PRECISION).round() / LINE_PRECISION + 0.0;
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        format!("{value:+.4}  {}{}", one_line(&self.part), one_line(&note))
    }
}

/// Values are shown in parts of this.
const LINE_PRECISION: f32 = 1e4;

fn robots(view: &RobotsView) -> RobotsReport {
    match view {
        RobotsView::Unknown => RobotsReport {
            ruling: "unknown",
            because: Some("robots.txt was not asked for yet".to_owned()),
        },
        RobotsView::Allowed(line) => RobotsReport { ruling: "allowed", because: line.clone() },
        RobotsView::Disallowed(line) => {
            RobotsReport { ruling: "disallowed", because: Some(line.clone()) }
        }
    }
}

/// What is planned; for URLs that the crawl never saw, what it would do with them.
fn plan(explanation: &Explanation) -> String {
    let Some(record) = &explanation.record else {
        let refusal = match (&explanation.scope, &explanation.robots) {
            (ScopeView::Refused(rule), _) => Some(format!("out of scope, {rule}")),
            (_, RobotsView::Disallowed(line)) => Some(format!("robots.txt forbids it, {line}")),
            _ => None,
        };
        return match refusal {
            Some(refusal) => format!("never seen; it would be skipped: {refusal}"),
            None => "never seen; it would be queued if a page linked to it".to_owned(),
        };
    };
    match record.head.status {
        Status::Queued { key } => format!("queued at worth {}", key.worth()),
        Status::Scheduled { due } => format!("to be tried again at {due}"),
        Status::Fetched => "fetched; no further visit is planned".to_owned(),
        Status::Redirected => "leads elsewhere; no further visit is planned".to_owned(),
        Status::Failed => "given up; no further visit is planned".to_owned(),
        Status::Skipped => "will not be fetched".to_owned(),
        Status::Gone => "gone; the last copy stays".to_owned(),
    }
}

fn host_report(host: &HostRecord, now: Timestamp) -> HostReport {
    let (ready_at, hold) = host.pace.ready_at();
    HostReport {
        name: host.name.to_string(),
        ready_at: ready_at.to_string(),
        hold: if ready_at <= now { "ready".to_owned() } else { hold.to_string() },
        throttles: host.pace.throttles(),
        down_since: host.pace.down_since().map(|at| at.to_string()),
        pages: host.counters.fetched,
        relevant: host.counters.relevant,
        errors: host.counters.errors,
        failures: host.counters.failures,
    }
}

fn visit_report(number: VisitNumber, visit: &VisitRecord, files: &mut ArchiveFiles) -> VisitReport {
    let answer = answer_of(&visit.outcome);
    let facts = match &visit.outcome {
        Visited::Page(_, facts) => Some(facts),
        _ => None,
    };
    let (outcome, redirect, failure) = match &visit.outcome {
        Visited::Page(..) => ("page", None, None),
        Visited::File(_) => ("file", None, None),
        Visited::Answered(_) => ("answer", None, None),
        Visited::Unchanged(_) => ("unchanged", None, None),
        Visited::Redirected(_, target) => {
            ("redirect", target.as_ref().map(ToString::to_string), None)
        }
        Visited::Failed(kind, message) => ("failure", None, Some(format!("{kind}: {message}"))),
    };
    VisitReport {
        number,
        at: visit.at.to_string(),
        took_seconds: visit.ended.since(visit.at).as_secs_f64(),
        outcome,
        status: answer.map(|answer| answer.status),
        media_type: answer.map(|answer| answer.media_type.clone()),
        wire_bytes: answer.map(|answer| answer.wire_bytes),
        body_bytes: answer.map(|answer| answer.body_bytes),
        title: facts.map(|facts| facts.title.clone()),
        language: facts.and_then(|facts| facts.language.clone()),
        links: facts.map(|facts| facts.links),
        new_links: facts.map(|facts| facts.new_links),
        judgement: facts.map(|facts| judgement(&facts.judgement)),
        redirect,
        failure,
        archive: visit.archived.map(|at| files.row(at)),
    }
}

fn judgement(judgement: &Judgement) -> JudgementReport {
    JudgementReport {
        relevant: judgement.is_relevant(),
        score: judgement.score.get(),
        threshold: judgement.threshold.get(),
        model: judgement.model.clone(),
        version: hexadecimal(judgement.version),
        reasons: ReasonReport::all(&judgement.reasons),
    }
}
