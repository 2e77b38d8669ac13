//! The tools that some tests ask for, installed when they are missing.
//!
//! Only three: `zstd`, the database of WordNet, and `warcio` in a Python
//! environment of its own under `target/tools`. Without them their tests are
//! skipped and say so; nothing here can fail a run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

/// What was found or installed.
#[derive(Default)]
pub(crate) struct Tools {
    /// The program `warcio`.
    pub(crate) warcio: Option<PathBuf>,
}

/// The version that our files are checked with; pinned, so that a release
/// elsewhere cannot break a run here.
const WARCIO: &str = "warcio==1.8.1";

/// Where the package `wordnet-base` puts WordNet's database.
const WORDNET: &str = "/usr/share/wordnet/data.noun";

pub(crate) fn prepare(root: &Path) -> Result<Tools> {
    if !works(Command::new("zstd").arg("--version")) && !install_package("zstd") {
        println!("zstd cannot be installed: the test that unpacks with it will be skipped");
    }
    if !Path::new(WORDNET).exists() && !install_package("wordnet-base") {
        println!("wordnet-base cannot be installed: the test that asks WordNet will be skipped");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), |target| root.join(target));
    let warcio = prepare_warcio(&target.join("tools/warcio"));
    match &warcio {
        Some(path) => println!("warcio: {}", path.display()),
        None => println!("warcio cannot be installed: the tests that run it will be skipped"),
    }
    Ok(Tools { warcio })
}

fn prepare_warcio(environment: &Path) -> Option<PathBuf> {
    let program = environment.join("bin/warcio");
    if works(Command::new(&program).arg("--version")) {
        return Some(program);
    }
    let create = || works(Command::new("python3").args(["-m", "venv"]).arg(environment));
    let is_created = create() || (install_package("python3-venv") && create());
    if !is_created {
        return None;
    }
    let pip = environment.join("bin/pip");
    let is_installed = works(Command::new(pip).args(["install", "--quiet", WARCIO]));
    is_installed.then_some(program)
}

/// Installs a Debian package, where this is Debian and we may.
fn install_package(name: &str) -> bool {
    println!("installing {name}");
    let install = || {
        works(
            Command::new("apt-get")
                .args(["install", "--yes", "--no-install-recommends", name])
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )
    };
    // A fresh machine has no package lists.
    install() || (works(Command::new("apt-get").arg("update")) && install())
}

/// Runs a command quietly; true when it succeeds.
fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
