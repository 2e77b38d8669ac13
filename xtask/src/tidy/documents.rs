//! Links that lead nowhere, and paths that exist on one machine only.

use std::path::Path;

use super::Fault;

/// Folders at the root of somebody's machine. Put together here, so that this
/// file does not break its own rule.
const MACHINE_FOLDERS: &[&str] =
    &[concat!("/", "work/"), concat!("/", "root/"), concat!("/", "farm/")];

/// Finds paths of one machine; the same words within an address are no path.
pub(crate) fn check_machine_paths(path: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let is_path = |folder: &&&str| {
            line.match_indices(**folder).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                before.is_none_or(|c| c.is_whitespace() || "\"'`(=:<,".contains(c))
            })
        };
        if let Some(folder) = MACHINE_FOLDERS.iter().find(is_path) {
            let what = format!("{folder} exists on one machine only");
            faults.push(Fault::new(path, index + 1, what));
        }
    }
    faults
}

/// Finds relative links of a Markdown file whose target is missing.
pub(crate) fn check_links(root: &Path, path: &str, text: &str) -> Vec<Fault> {
    let folder = root.join(path).parent().map(Path::to_owned).unwrap_or_default();
    let mut faults = Vec::new();
    for (line, target) in links(text) {
        let is_elsewhere = target.contains("://") || target.starts_with("mailto:");
        let file = target.split(['#', '?']).next().unwrap_or_default();
        if is_elsewhere || file.is_empty() || folder.join(file).exists() {
            continue;
        }
        faults.push(Fault::new(path, line, format!("the link to {target} leads nowhere")));
    }
    faults
}

/// The targets of all links outside code, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut is_code = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let is_inline_code = line[..at].matches('`').count() % 2 == 1;
            let target = line[at + 2..].split([')', ' ']).next().unwrap_or_default();
            if !is_inline_code {
                found.push((index + 1, target));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_outside_code() {
        let text = "[a](b.md#c) and [d](e 'title')\n```\n[x](y)\n```\n`[x](y)` [f](#g)\n";
        assert_eq!(links(text), [(1, "b.md#c"), (1, "e"), (5, "#g")]);
    }

    #[test]
    fn only_missing_files_are_faults() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = "[a](src/main.rs) [b](https://a.example/) [c](#d)\n[e](gone.md)\n";
        let faults = check_links(root, "notes.md", text);
        assert_eq!(faults, [Fault::new("notes.md", 2, "the link to gone.md leads nowhere")]);
    }

    #[test]
    fn machine_paths_are_found_and_addresses_left_alone() {
        let folder = MACHINE_FOLDERS[0];
        let check = |line: &str| check_machine_paths("a.rs", line).len();
        assert_eq!(check(&format!("open(\"{folder}x\")")), 1);
        assert_eq!(check(&format!("{folder}x")), 1);
        assert_eq!(check(&format!("https://a.example{folder}x")), 0);
    }
}
