//! `gannet list`: every registered strategy, rule and exporter.

use std::process::ExitCode;

use clap::ValueEnum;
use gannet_change::{DEFAULT_DETECTOR, DETECTORS};
use gannet_links::{DEFAULT_ORDER, ORDERS};
use gannet_relevance::{DEFAULT_MODEL, MODELS};
use gannet_revisit::{DEFAULT_POLICY, POLICIES};
use serde::Serialize;

use crate::arguments::TextOrJson;
use crate::exit::Exit;
use crate::exporters::EXPORTERS;
use crate::print;
use crate::table::Table;

/// Arguments of `gannet list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What to list; everything when not given
    #[arg(value_enum)]
    kind: Option<Kind>,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// Which link comes first (crawl.order)
    Orders,
    /// What makes a page relevant (crawl.model)
    Models,
    /// What tells whether a page changed
    Detectors,
    /// When a known page is visited again (watch.policy)
    Policies,
    /// What the condition of a scope rule can be (scope.rule)
    Rules,
    /// Formats of `gannet export`
    Exporters,
}

/// One registered thing. The field names are stable.
#[derive(Debug, Serialize)]
struct Listed {
    kind: Kind,
    name: &'static str,
    /// True for what is used when the user names none.
    default: bool,
    summary: &'static str,
    /// How it is written, where that is not plain.
    example: Option<&'static str>,
}

/// Prints the list.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut listed = registered();
    listed.retain(|entry| args.kind.is_none_or(|kind| kind == entry.kind));
    if args.format == TextOrJson::Json {
        print::json(&listed)?;
        return Ok(Exit::Done.into());
    }
    let mut table = Table::new(&["kind", "name", "what it does"]);
    for entry in listed {
        let kind = entry.kind.to_possible_value();
        let kind = kind.map_or_else(String::new, |kind| kind.get_name().to_owned());
        let mut summary = entry.summary.to_owned();
        if entry.default {
            summary.push_str(" [default]");
        }
        if let Some(example) = entry.example {
            summary.push_str(&format!(": {example}"));
        }
        table.row([kind, entry.name.to_owned(), summary]);
    }
    table.print()?;
    Ok(Exit::Done.into())
}

fn registered() -> Vec<Listed> {
    let plain =
        |kind, name, default, summary| Listed { kind, name, default, summary, example: None };
    let orders = ORDERS
        .iter()
        .map(|entry| plain(Kind::Orders, entry.name, entry.name == DEFAULT_ORDER, entry.summary));
    let models = MODELS
        .iter()
        .map(|entry| plain(Kind::Models, entry.name, entry.name == DEFAULT_MODEL, entry.summary));
    let detectors = DETECTORS.iter().map(|entry| {
        plain(Kind::Detectors, entry.name, entry.name == DEFAULT_DETECTOR, entry.summary)
    });
    let policies = POLICIES.iter().map(|entry| {
        plain(Kind::Policies, entry.name, entry.name == DEFAULT_POLICY, entry.summary)
    });
    let rules = gannet_scope::rules::rule_kinds().map(|kind| Listed {
        kind: Kind::Rules,
        name: kind.name,
        default: false,
        summary: kind.holds,
        example: Some(kind.example),
    });
    let exporters =
        EXPORTERS.iter().map(|entry| plain(Kind::Exporters, entry.name, false, entry.summary));
    orders.chain(models).chain(detectors).chain(policies).chain(rules).chain(exporters).collect()
}
