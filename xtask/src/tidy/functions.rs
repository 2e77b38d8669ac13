//! A function is one step: at most 60 lines.
//!
//! `// tidy: long because …` above a function or on its first line permits an
//! exception, for a table or a match that is easier to read in one piece.

use super::Fault;
use super::mask::mask;

/// Lines a function may have, from `fn` to its closing brace.
const MAX_LINES: usize = 60;
const PERMISSION: &str = "// tidy: long because ";

pub(crate) fn check(path: &str, text: &str) -> Vec<Fault> {
    let code = mask(text);
    let lines: Vec<&str> = text.lines().collect();
    let mut faults = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let Some(length) = body_end(&code[at..]).map(|end| code[at..at + end].lines().count())
        else {
            continue;
        };
        let line = code[..at].matches('\n').count();
        let is_word = !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        if is_word && length > MAX_LINES && !is_permitted(&lines, line) {
            let what = format!("a function of {length} lines, more than {MAX_LINES}");
            faults.push(Fault::new(path, line + 1, what));
        }
    }
    faults
}

/// Where the body that follows a signature ends; none for a mere declaration.
fn body_end(code: &str) -> Option<usize> {
    let mut braces = 0_usize;
    let mut brackets = 0_usize;
    for (at, c) in code.char_indices() {
        match c {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets = brackets.checked_sub(1)?,
            ';' if braces == 0 && brackets == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces = braces.checked_sub(1)?;
                if braces == 0 && brackets == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Looks at the comments and attributes above the line, at the line and at the next.
fn is_permitted(lines: &[&str], line: usize) -> bool {
    let is_preamble = |text: &&&str| text.trim().starts_with("//") || text.trim().starts_with('#');
    let above = lines[..line].iter().rev().take_while(is_preamble);
    above.chain(lines[line..].iter().take(2)).any(|text| text.contains(PERMISSION))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(lines: usize) -> String {
        format!("fn long(x: [u8; 2]) {{\n{}}}\n", "    step();\n".repeat(lines - 2))
    }

    #[track_caller]
    fn check_lines(text: &str, expected: &[usize]) {
        let found: Vec<usize> = check("a.rs", text).iter().map(|fault| fault.line).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn functions_over_the_limit_are_found() {
        check_lines(&function(60), &[]);
        check_lines(&format!("\n\n{}", function(61)), &[3]);
        check_lines(&format!("impl X {{\n    pub async {}}}\n", function(61)), &[2]);
    }

    #[test]
    fn an_exception_gives_its_reason() {
        check_lines(&format!("// tidy: long because it is a table\n{}", function(70)), &[]);
        check_lines(&format!("/// Doc.\n// tidy: long\n{}", function(70)), &[3]);
    }

    #[test]
    fn declarations_and_words_in_comments_have_no_length() {
        check_lines(&format!("trait T {{\n    fn a(&self);\n}}\n// fn {}", "\n".repeat(99)), &[]);
        check_lines(&format!("type F = fn (u8) -> u8;\n{}", "mod a;\n".repeat(99)), &[]);
    }
}
