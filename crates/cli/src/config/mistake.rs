//! A mistake in the configuration, shown where it stands and with what would be right.

use std::fmt;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};

/// Everything that is wrong with a configuration.
#[derive(Debug, Default)]
pub(crate) struct ConfigError(pub(crate) Vec<Mistake>);

/// One mistake.
#[derive(Debug)]
pub(crate) struct Mistake {
    message: String,
    place: Option<Place>,
    help: Option<String>,
}

/// A stretch of one line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    /// Counted from one.
    pub(crate) line: usize,
    /// Counted from one, in characters.
    pub(crate) column: usize,
    /// The whole line.
    pub(crate) text: String,
    /// How many characters are meant.
    pub(crate) width: usize,
}

/// Longer lines are not shown: they are no lines that a person wrote.
const LONGEST_LINE: usize = 160;

impl Mistake {
    pub(crate) fn new(message: impl Into<String>) -> Mistake {
        Mistake { message: message.into(), place: None, help: None }
    }

    /// Says where it stands.
    #[must_use]
    pub(crate) fn at(mut self, place: impl Into<Option<Place>>) -> Mistake {
        self.place = place.into();
        self
    }

    /// Says what would be right.
    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Mistake {
        self.help = Some(help.into());
        self
    }
}

impl From<Mistake> for ConfigError {
    fn from(mistake: Mistake) -> ConfigError {
        ConfigError(vec![mistake])
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let red = AnsiColor::Red.on_default().bold();
        let blue = AnsiColor::Blue.on_default().bold();
        let bold = Style::new().bold();
        write!(f, "{red}error{red:#}: {bold}{}{bold:#}", self.message)?;
        let gutter = self.place.as_ref().map_or(1, |place| place.line.to_string().len());
        if let Some(place) = &self.place {
            let (path, line, column) = (place.path.display(), place.line, place.column);
            write!(f, "\n{:gutter$}{blue}-->{blue:#} {path}:{line}:{column}", "")?;
            if place.text.chars().count() <= LONGEST_LINE {
                // Tabs keep their width above the mark when the mark's line has them, too.
                let blank = |c: char| if c == '\t' { '\t' } else { ' ' };
                let lead: String = place.text.chars().take(column - 1).map(blank).collect();
                let mark = "^".repeat(place.width.min(LONGEST_LINE));
                write!(f, "\n{:gutter$} {blue}|{blue:#}", "")?;
                write!(f, "\n{blue}{line} |{blue:#} {}", place.text)?;
                write!(f, "\n{:gutter$} {blue}|{blue:#} {lead}{red}{mark}{red:#}", "")?;
            }
        }
        match &self.help {
            Some(help) => write!(f, "\n{:gutter$} {blue}={blue:#} {bold}help{bold:#}: {help}", ""),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, mistake) in self.0.iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n\n" };
            write!(f, "{gap}{mistake}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}
