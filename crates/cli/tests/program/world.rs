//! A small web, a directory, and the program in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use gannet_testbed::{Server, ServerOptions, Spec, Web};
use serde_json::Value;
use tempfile::TempDir;

/// A small web that is served, and a directory with a config file that leads there.
pub(crate) struct World {
    web: Arc<Web>,
    directory: TempDir,
    /// Answers requests until the world ends.
    _server: Server,
    _runtime: tokio::runtime::Runtime,
}

/// What the program did.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A faultless web: small enough to be crawled whole in a moment.
fn spec() -> Spec {
    Spec { hosts: 6, pages: 60, topic_share: 0.2, page_bytes: 1_500, ..Spec::default() }
}

impl World {
    /// Serves a small web, with politeness delays that tests can wait for.
    pub(crate) fn new() -> World {
        World::with_delay("0s")
    }

    pub(crate) fn with_delay(delay: &str) -> World {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let web = Arc::new(Web::new(spec()));
        let server =
            runtime.block_on(Server::start(web.clone(), ServerOptions::default())).unwrap();
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("hosts.txt"), server.hosts_file()).unwrap();
        let words = serde_json::to_string(&web.topic().words).unwrap();
        let config = format!(
            "version = 1\n[topic]\nwords = {words}\n[politeness]\ndelay = \"{delay}\"\nper_address = 0\n\
             [fetch]\nhosts_file = \"hosts.txt\"\nallow_addresses = [\"127.0.0.0/8\"]\n"
        );
        std::fs::write(directory.path().join("gannet.toml"), config).unwrap();
        World { web, directory, _server: server, _runtime: runtime }
    }

    /// A directory without any web, for commands that need none.
    pub(crate) fn empty() -> TempDir {
        tempfile::tempdir().unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A URL to start from.
    pub(crate) fn seed(&self) -> String {
        self.web.seeds(1).remove(0)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        run_in(self.directory.path(), arguments)
    }

    /// Runs a command that must end well and print JSON.
    #[track_caller]
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
    }

    /// Crawls from the seed to the end.
    #[track_caller]
    pub(crate) fn crawl(&self, further: &[&str]) -> Value {
        let seed = self.seed();
        let mut arguments = vec!["crawl", &seed, "--format", "json"];
        arguments.extend(further);
        self.json(&arguments)
    }

    /// The program, ready to be started.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        command_in(self.directory.path(), arguments)
    }
}

/// Runs the program in a directory and waits for its end.
pub(crate) fn run_in(directory: &Path, arguments: &[&str]) -> Ran {
    let output = command_in(directory, arguments).output().unwrap();
    Ran::from(output)
}

fn command_in(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
    command.args(arguments).current_dir(directory).stdin(Stdio::null());
    // What the person who runs the tests has configured must not matter.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GANNET_") {
            command.env_remove(name);
        }
    }
    command.env("XDG_CONFIG_HOME", directory).env("HOME", directory).env("NO_COLOR", "1");
    command
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ran {
    /// Expects an exit code and words on stderr.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, words: &[&str]) {
        assert_eq!(self.code, code, "stderr:\n{}\nstdout:\n{}", self.stderr, self.stdout);
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is missing in:\n{}", self.stderr);
        }
    }
}
