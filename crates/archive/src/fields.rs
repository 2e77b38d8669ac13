//! The `Name: value` lines at the head of a record.
//!
//! Writing never lets a value end its own line: a page, a server or a user can
//! put what they like into a value and still not forge a header. Reading takes
//! what other crawlers wrote, folded lines and missing colons included.

/// The named fields of a record, in order. Names compare without case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// The first value of this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Every field in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(crate) fn push(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Takes one line of a head. A line that begins with white space continues
    /// the one before; a line without a colon says nothing.
    pub(crate) fn push_line(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        if text.starts_with([' ', '\t'])
            && let Some((_, value)) = self.0.last_mut()
        {
            value.push(' ');
            value.push_str(text.trim());
            return;
        }
        if let Some((name, value)) = text.split_once(':') {
            self.push(name.trim(), value.trim());
        }
    }
}

/// Appends `name: value` and the end of the line.
pub(crate) fn append_field(head: &mut Vec<u8>, name: &str, value: impl AsRef<[u8]>) {
    if name.is_empty() {
        return;
    }
    head.extend(name.bytes().map(|byte| if is_token(byte) { byte } else { b'-' }));
    head.extend_from_slice(b": ");
    append_value(head, value.as_ref());
    head.extend_from_slice(b"\r\n");
}

/// Appends a value that cannot end its line: controls become spaces.
pub(crate) fn append_value(head: &mut Vec<u8>, value: &[u8]) {
    let is_control = |byte: u8| (byte < b' ' && byte != b'\t') || byte == 0x7f;
    head.extend(value.iter().map(|&byte| if is_control(byte) { b' ' } else { byte }));
}

/// The characters of a name: RFC 9110, 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, value: &str, expected: &str) {
        let mut head = Vec::new();
        append_field(&mut head, name, value);
        assert_eq!(String::from_utf8(head).unwrap(), expected);
    }

    #[test]
    fn no_value_can_end_its_line() {
        check("via", "a\r\nWARC-Type: forged", "via: a  WARC-Type: forged\r\n");
        check("via\r\nx: y", "z", "via--x--y: z\r\n");
        check("via", "nul\0 tab\t del\x7f", "via: nul  tab\t del \r\n");
        check("", "nameless", "");
    }

    #[test]
    fn folded_lines_continue_the_value_before() {
        let mut fields = Fields::default();
        for line in ["WARC-Type: response", " and more", "no colon", "X:"] {
            fields.push_line(line.as_bytes());
        }
        assert_eq!(fields.get("warc-type"), Some("response and more"));
        assert_eq!(fields.get("x"), Some(""));
        assert_eq!(fields.iter().count(), 2);
    }
}
