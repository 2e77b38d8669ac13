//! Where a crawl starts: seeds from arguments, a file, standard input or the config file.
//!
//! Bad lines are told one by one and do not stop the good ones.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use gannet_model::PageUrl;
use gannet_scope::{SeedList, read_seeds, seeds::read_seed};

use crate::config::{ConfigError, Loaded};
use crate::exit::UsageError;
use crate::print;

/// Gathers the seeds. Those of the command line stand in for those of the config file.
pub(crate) fn gather(
    arguments: &[String],
    file: Option<&Path>,
    loaded: &Loaded,
) -> anyhow::Result<Vec<PageUrl>> {
    let mut seeds = Gathered::default();
    for (index, argument) in arguments.iter().enumerate() {
        seeds.add_one(argument, &format!("seed {}", index + 1));
    }
    if let Some(path) = file {
        let text = read_lines(path)?;
        seeds.add_list(read_seeds(&text), &path.display().to_string());
    }
    let is_from_command_line = !arguments.is_empty() || file.is_some();
    if !is_from_command_line {
        let crawl = &loaded.file.crawl;
        for (index, seed) in crawl.seeds.iter().enumerate() {
            let key = format!("crawl.seeds[{index}]");
            seeds.add_one(seed, &format!("{key} ({})", loaded.origin(&key)));
        }
        if let Some(path) = &crawl.seeds_file {
            let path = loaded.resolve(path);
            let lines = read_lines(&path)
                .map_err(|error| ConfigError::from(loaded.mistake("crawl.seeds_file", error)))?;
            seeds.add_list(read_seeds(&lines), &path.display().to_string());
        }
    }
    if seeds.good.is_empty() && seeds.bad > 0 {
        let message = format!("none of the {} seeds can be used", seeds.bad);
        if !is_from_command_line {
            return Err(ConfigError::from(loaded.mistake("crawl.seeds", message)).into());
        }
        return Err(UsageError(message).into());
    }
    Ok(seeds.good)
}

/// The URL that an argument is which is no file. With its scheme: `gone.html` is a file that is
/// missing sooner than it is a host.
pub(crate) fn read_url(given: &str) -> Result<PageUrl, UsageError> {
    if !given.contains("://") {
        let message =
            format!("{given}: no such file, and not a URL; write a URL with its https://");
        return Err(UsageError(message));
    }
    read_seed(given).map_err(|problem| UsageError(format!("{given}: {problem}")))
}

#[derive(Default)]
struct Gathered {
    good: Vec<PageUrl>,
    bad: usize,
}

impl Gathered {
    fn add_one(&mut self, text: &str, origin: &str) {
        match read_seed(text.trim()) {
            Ok(seed) => self.good.push(seed),
            Err(problem) => self.refuse(format!("{origin}: {text:?}: {problem}")),
        }
    }

    fn add_list(&mut self, list: SeedList, origin: &str) {
        self.good.extend(list.seeds);
        for error in list.errors {
            self.refuse(format!("{origin}: {error}"));
        }
    }

    fn refuse(&mut self, message: String) {
        self.bad += 1;
        print::warn(format_args!("not a seed: {message}"));
    }
}

/// The text of a file or, for `-`, of standard input. What is not UTF-8 shows as a bad line.
fn read_lines(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes).context("cannot read seeds from stdin")?;
    } else {
        let unreadable = |error| UsageError(format!("cannot read {}: {error}", path.display()));
        bytes = std::fs::read(path).map_err(unreadable)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
