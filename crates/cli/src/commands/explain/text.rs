//! An explanation as a person reads it.

use std::io::{self, Write};

use anstyle::Style;

use super::report::{JudgementReport, ReasonReport, Report, VisitReport};
use crate::commands::plan::rate;
use crate::table::one_line;

const HEAD: Style = Style::new().bold();

/// Writes the whole explanation.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEAD}{}{HEAD:#}", report.url)?;
    writeln!(out, "  {}: {}", report.state, report.plan)?;
    if let Some(because) = &report.because {
        writeln!(out, "  because {}", one_line(because))?;
    }
    write_found(report, out)?;
    write_worth(report, out)?;
    write_revisit(report, out)?;
    write_rulings(report, out)?;
    write_opinions(report, out)?;
    write_visits(report, out)
}

fn write_found(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some(found) = &report.found else { return Ok(()) };
    writeln!(out, "\n{HEAD}How it was found{HEAD:#}")?;
    let anchor = quoted(&found.anchor);
    writeln!(out, "  by {}{anchor} at {}, {} links from a seed", found.how, found.at, found.depth)?;
    for ancestor in &report.chain {
        let anchor = quoted(&ancestor.anchor);
        writeln!(out, "  on {} (found by {}{anchor})", ancestor.url, ancestor.how)?;
    }
    Ok(())
}

fn write_revisit(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some(revisit) = &report.revisit else { return Ok(()) };
    writeln!(out, "\n{HEAD}When a watch returns{HEAD:#}")?;
    writeln!(out, "  due at {}, last seen at {}", revisit.due, revisit.seen)?;
    if revisit.rate.is_some() {
        writeln!(out, "  changes a day: {}, with a chance of nine in ten", rate(revisit))?;
    }
    writeln!(out, "  importance {:.3}", revisit.importance)?;
    if let (Some(fresh), Some(value), Some(price)) = (revisit.fresh, revisit.value, revisit.price) {
        writeln!(out, "  the copy is fresh with a chance of {fresh:.3}")?;
        writeln!(out, "  a visit now is worth {value:.4} weighted days of freshness")?;
        writeln!(out, "  and is made when it is worth the price of {price:.4}")?;
    }
    Ok(())
}

fn write_worth(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let Some(worth) = report.worth else { return Ok(()) };
    writeln!(out, "\n{HEAD}What it was worth{HEAD:#}")?;
    writeln!(out, "  {worth:.4}")?;
    write_reasons(&report.worth_reasons, out)
}

fn write_rulings(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{HEAD}What is allowed{HEAD:#}")?;
    let scope = if report.scope.accepted { "accepted" } else { "refused" };
    writeln!(out, "  scope: {scope}{}", explained(report.scope.because.as_deref()))?;
    let robots = &report.robots;
    writeln!(out, "  robots.txt: {}{}", robots.ruling, explained(robots.because.as_deref()))?;
    let Some(host) = &report.host else {
        return writeln!(out, "  host: never contacted");
    };
    writeln!(out, "  host {}: {}, may be contacted from {}", host.name, host.hold, host.ready_at)?;
    writeln!(
        out,
        "    {} pages, {} relevant, {} error answers, {} failures, throttled {} times",
        host.pages, host.relevant, host.errors, host.failures, host.throttles
    )
}

/// What a person said of it, and which model judged it.
fn write_opinions(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if report.label.is_none() && report.model.is_none() {
        return Ok(());
    }
    writeln!(out, "\n{HEAD}Who judged it{HEAD:#}")?;
    if let Some(label) = &report.label {
        let answer = if label.relevant { "yes" } else { "no" };
        let relative = label.relative.as_ref().map(|name| format!(", about {}", one_line(name)));
        writeln!(out, "  a person, at {}: {answer}{}", label.at, relative.unwrap_or_default())?;
    }
    if let Some(model) = &report.model {
        let because = one_line(&model.because);
        writeln!(
            out,
            "  {} of version {}, made at {} from {because}",
            model.name, model.version, model.made_at
        )?;
    }
    Ok(())
}

fn write_visits(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{HEAD}What happened{HEAD:#}")?;
    if report.visits.is_empty() {
        return writeln!(out, "  it was never visited");
    }
    for visit in &report.visits {
        write_visit(visit, out)?;
    }
    Ok(())
}

fn write_visit(visit: &VisitReport, out: &mut dyn Write) -> io::Result<()> {
    write!(
        out,
        "  visit {} at {}, {:.2} s: {}",
        visit.number, visit.at, visit.took_seconds, visit.outcome
    )?;
    if let (Some(status), Some(wire), Some(body)) =
        (visit.status, visit.wire_bytes, visit.body_bytes)
    {
        let media_type = visit.media_type.as_deref().unwrap_or_default();
        write!(out, " {status}, {wire} bytes received, {body} unpacked, {media_type}")?;
    }
    writeln!(out)?;
    if let Some(title) = &visit.title {
        let language = visit.language.as_deref().unwrap_or("language not stated");
        writeln!(out, "    title {:?} ({language})", one_line(title))?;
    }
    if let (Some(links), Some(new)) = (visit.links, visit.new_links) {
        writeln!(out, "    {links} links, {new} of them new")?;
    }
    if let Some(judgement) = &visit.judgement {
        write_judgement(judgement, out)?;
    }
    if let Some(target) = &visit.redirect {
        writeln!(out, "    leads to {target}")?;
    }
    if let Some(failure) = &visit.failure {
        writeln!(out, "    {}", one_line(failure))?;
    }
    match &visit.archive {
        Some(at) => {
            writeln!(out, "    kept in {} at byte {}, {} bytes", at.file, at.offset, at.length)
        }
        None => writeln!(out, "    no evidence was kept"),
    }
}

fn write_judgement(judgement: &JudgementReport, out: &mut dyn Write) -> io::Result<()> {
    let verdict = if judgement.relevant { "relevant" } else { "irrelevant" };
    writeln!(
        out,
        "    {verdict}: score {:.4}, threshold {:.4}, by {} (version {})",
        judgement.score, judgement.threshold, judgement.model, judgement.version
    )?;
    write_reasons(&judgement.reasons, out)
}

fn write_reasons(reasons: &[ReasonReport], out: &mut dyn Write) -> io::Result<()> {
    for reason in reasons {
        writeln!(out, "      {}", reason.line())?;
    }
    Ok(())
}

fn quoted(anchor: &str) -> String {
    if anchor.is_empty() { String::new() } else { format!(" {:?}", one_line(anchor)) }
}

fn explained(because: Option<&str>) -> String {
    because.map(|because| format!(" ({})", one_line(because))).unwrap_or_default()
}
