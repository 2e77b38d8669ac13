//! `any`, `all`, `not`: conditions made of conditions.

use std::fmt;

use super::{Candidate, Condition, Entry, RuleKind, RuleProblem, Setting, build_nested};

pub(crate) const ANY: Entry = Entry {
    kind: RuleKind {
        name: "any",
        example: r#"{ any = [ { pattern = "/calendar/" }, { extension = ["ics"] } ] }"#,
        holds: "at least one of the listed conditions holds",
    },
    build: |value, level| Ok(Box::new(Any(read_list(value, level, &ANY.kind)?))),
};

pub(crate) const ALL: Entry = Entry {
    kind: RuleKind {
        name: "all",
        example: r#"{ all = [ { domain = "example.org" }, { depth_over = 5 } ] }"#,
        holds: "every listed condition holds",
    },
    build: |value, level| Ok(Box::new(All(read_list(value, level, &ALL.kind)?))),
};

pub(crate) const NOT: Entry = Entry {
    kind: RuleKind {
        name: "not",
        example: r#"{ not = { domain = "example.org" } }"#,
        holds: "the condition does not hold",
    },
    build: |value, level| match value {
        Setting::Table(_) => Ok(Box::new(Not(build_nested(value, level + 1)?))),
        _ => Err(value.wrong(&NOT.kind)),
    },
};

#[derive(Debug)]
struct Any(Vec<Box<dyn Condition>>);

#[derive(Debug)]
struct All(Vec<Box<dyn Condition>>);

#[derive(Debug)]
struct Not(Box<dyn Condition>);

fn read_list(
    value: &Setting,
    level: usize,
    kind: &RuleKind,
) -> Result<Vec<Box<dyn Condition>>, RuleProblem> {
    match value {
        Setting::List(conditions) if !conditions.is_empty() => {
            conditions.iter().map(|condition| build_nested(condition, level + 1)).collect()
        }
        _ => Err(value.wrong(kind)),
    }
}

impl Condition for Any {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        self.0.iter().any(|condition| condition.holds(candidate))
    }

    fn is_compound(&self) -> bool {
        self.0.len() > 1
    }
}

impl Condition for All {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        self.0.iter().all(|condition| condition.holds(candidate))
    }

    fn is_compound(&self) -> bool {
        self.0.len() > 1
    }
}

impl Condition for Not {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        !self.0.holds(candidate)
    }
}

impl fmt::Display for Any {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, &self.0, " or ")
    }
}

impl fmt::Display for All {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, &self.0, " and ")
    }
}

impl fmt::Display for Not {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not ({})", self.0)
    }
}

fn write_joined(
    f: &mut fmt::Formatter<'_>,
    conditions: &[Box<dyn Condition>],
    joint: &str,
) -> fmt::Result {
    for (i, condition) in conditions.iter().enumerate() {
        if i > 0 {
            f.write_str(joint)?;
        }
        let needs_brackets = condition.is_compound() && conditions.len() > 1;
        if needs_brackets {
            write!(f, "({condition})")?;
        } else {
            write!(f, "{condition}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose, check_refused};

    #[test]
    fn conditions_combine_as_in_logic() {
        let yes = "{ domain = \"a.org\" }";
        let no = "{ domain = \"b.org\" }";
        let url = "http://a.org/";
        check(&format!("{{ any = [{no}, {yes}] }}"), url, true);
        check(&format!("{{ any = [{no}, {no}] }}"), url, false);
        check(&format!("{{ all = [{yes}, {yes}] }}"), url, true);
        check(&format!("{{ all = [{yes}, {no}] }}"), url, false);
        check(&format!("{{ not = {no} }}"), url, true);
        check(&format!("{{ not = {{ any = [{no}, {yes}] }} }}"), url, false);
    }

    #[test]
    fn nested_clauses_get_brackets() {
        check_prose(
            "{ all = [ { any = [{ query = true }, { path_over = 3 }] }, { not = { depth_over = 5 } } ] }",
            "(it has a query or its path has more than 3 segments) \
             and not (it is more than 5 links from a seed)",
        );
    }

    #[test]
    fn nothing_to_combine_is_refused() {
        check_refused("{ any = [] }", "any = [] says nothing; write { any = [");
        check_refused("{ not = [] }", "write { not = {");
    }
}
