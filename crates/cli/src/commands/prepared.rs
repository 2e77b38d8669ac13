//! Everything a crawl or a watch needs before it runs: settings, topic, seeds, data directory.

use std::path::{Path, PathBuf};

use anyhow::Context;
use gannet_engine::{Config, DataDir, Journey};

use crate::arguments::Globals;
use crate::asking::warn_without_contact;
use crate::commands::earlier::Earlier;
use crate::config::{self, Loaded, Override};
use crate::exit::UsageError;
use crate::{kept_examples, print, seeds};

/// Where to start, as given on the command line.
pub(crate) struct Given<'a> {
    pub(crate) seeds: &'a [String],
    pub(crate) seeds_file: Option<&'a Path>,
}

/// What is ready to run.
pub(crate) struct Prepared {
    pub(crate) config: Config,
    pub(crate) journey: Journey,
    pub(crate) data: DataDir,
    /// Page requests that earlier runs got answers to.
    pub(crate) answered: u64,
    pub(crate) loaded: Loaded,
    /// The config file, if there is one.
    pub(crate) path: Option<PathBuf>,
}

/// Reads settings and the data directory, checks all of it, and says what begins.
pub(crate) fn prepare(
    given: &Given<'_>,
    overrides: Vec<Override>,
    globals: &Globals,
) -> anyhow::Result<Prepared> {
    let path = config::find(globals.config.as_deref());
    let mut loaded = config::load(path.as_deref(), overrides)?;
    let data = globals.data();
    let earlier = Earlier::look(&data, &loaded.file)?;
    earlier.keep_strategies(&mut loaded);
    let sought = earlier.sought(&loaded)?;
    let mut seeds = seeds::gather(given.seeds, given.seeds_file, &loaded)?;
    if seeds.is_empty() && earlier.record.is_none() {
        return Err(no_seeds(&data).into());
    }
    seeds.extend(earlier.seeds.iter().cloned());
    let examples = kept_examples::files(&sought.examples);
    let config = config::build(&loaded, sought, seeds)?;
    let journey = config::check(&loaded, &config)?;
    if !globals.quiet {
        announce(&loaded, &config, &earlier);
    }
    make_directory(&data)?;
    kept_examples::write(&data, &examples)
        .with_context(|| format!("cannot keep the example pages in {}", data.path().display()))?;
    Ok(Prepared { config, journey, data, answered: earlier.answered, loaded, path })
}

fn no_seeds(data: &DataDir) -> UsageError {
    let directory = data.path().display();
    UsageError(format!(
        "nowhere to start: {directory} holds no crawl to go on with; name a seed \
         (`gannet crawl example.org`), a list (`--seeds FILE`), or write `crawl.seeds` in gannet.toml"
    ))
}

fn announce(loaded: &Loaded, config: &Config, earlier: &Earlier) {
    warn_without_contact(loaded);
    if let Some(before) = earlier.record.as_ref().filter(|b| b.topic != config.topic.to_string()) {
        print::warn(format_args!(
            "this data directory was about {}; what was judged by that stays as it was judged",
            before.topic
        ));
    }
    let begins = if earlier.record.is_some() { "Going on" } else { "Starting" };
    print::talk(format_args!(
        "{begins}: {} about {}{} ({} order, {} model).",
        match config.seeds.len() {
            0 => "seeds of earlier runs".to_owned(),
            1 => "1 seed".to_owned(),
            count => format!("{count} seeds"),
        },
        config.topic,
        match config.examples.len() {
            0 => String::new(),
            1 => ", with 1 example page".to_owned(),
            count => format!(", with {count} example pages"),
        },
        config.order.name,
        config.model.name,
    ));
}

/// Says early and clearly when the data directory cannot be used.
fn make_directory(data: &DataDir) -> anyhow::Result<()> {
    std::fs::create_dir_all(data.path()).with_context(|| {
        format!(
            "cannot make the data directory {}; choose another with --data-dir",
            data.path().display()
        )
    })
}
