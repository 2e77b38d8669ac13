//! Where WordNet is on this machine.

use std::path::{Path, PathBuf};

use gannet_relevance::WordNet;

use crate::exit::UsageError;

/// The file that tells a WordNet directory from another.
const SIGN: &str = "data.noun";
const INSTALLED: [&str; 5] = [
    "/usr/share/wordnet",
    "/usr/local/share/wordnet",
    "/usr/local/WordNet-3.0/dict",
    "/usr/local/WordNet-3.1/dict",
    "/opt/homebrew/opt/wordnet/dict",
];

/// Opens the WordNet that the user names, else the first that is found.
pub(super) fn open(named: Option<&Path>) -> anyhow::Result<WordNet> {
    let directory = match named {
        Some(directory) if directory.join(SIGN).is_file() => directory.to_owned(),
        Some(directory) => {
            let message = format!(
                "--wordnet: {} holds no {SIGN}; name the directory of WordNet's dict files",
                directory.display()
            );
            return Err(UsageError(message).into());
        }
        None => find(&places())?,
    };
    let wordnet = WordNet::read(|file| {
        let bytes = std::fs::read(directory.join(file))?;
        // Comments and glosses are ASCII but for a few names in Latin-1.
        Ok(String::from_utf8(bytes)
            .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
    })?;
    Ok(wordnet)
}

/// Where WordNet may be, the likeliest first.
fn places() -> Vec<PathBuf> {
    let from = |variable: &str| std::env::var_os(variable).filter(|path| !path.is_empty());
    let named = [from("GANNET_WORDNET"), from("WNSEARCHDIR")].into_iter().flatten();
    let home = from("WNHOME").map(|home| PathBuf::from(home).join("dict"));
    named.map(PathBuf::from).chain(home).chain(INSTALLED.map(PathBuf::from)).collect()
}

fn find(places: &[PathBuf]) -> anyhow::Result<PathBuf> {
    if let Some(found) = places.iter().find(|place| place.join(SIGN).is_file()) {
        return Ok(found.clone());
    }
    let looked: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
    anyhow::bail!(
        "there is no WordNet in {}; `apt-get install wordnet-base` installs it on Debian, elsewhere \
         take the database files from https://wordnet.princeton.edu/download and name their \
         directory with --wordnet",
        looked.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_no_wordnet_the_error_tells_how_to_get_it() {
        let error = find(&[PathBuf::from("nowhere")]).unwrap_err().to_string();
        assert!(
            error.contains("nowhere") && error.contains("apt-get install wordnet-base"),
            "{error}"
        );
        assert!(open(Some(Path::new("nowhere"))).is_err());
    }
}
