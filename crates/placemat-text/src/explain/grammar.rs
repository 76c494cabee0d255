//! The grammar of UTF-8 in RFC 3629, section 4, as a table.

/// One alternative of a rule.
pub(crate) struct Rule {
    /// The name of the rule in the RFC.
    pub(crate) name: &'static str,
    /// The alternative, in ABNF.
    pub(crate) text: &'static str,
    pub(crate) leads: (u8, u8),
}

pub(crate) const RULES: &[Rule] = &[
    Rule { name: "UTF8-1", text: "%x00-7F", leads: (0x00, 0x7F) },
    Rule { name: "UTF8-2", text: "%xC2-DF UTF8-tail", leads: (0xC2, 0xDF) },
    Rule { name: "UTF8-3", text: "%xE0 %xA0-BF UTF8-tail", leads: (0xE0, 0xE0) },
    Rule { name: "UTF8-3", text: "%xE1-EC 2( UTF8-tail )", leads: (0xE1, 0xEC) },
    Rule { name: "UTF8-3", text: "%xED %x80-9F UTF8-tail", leads: (0xED, 0xED) },
    Rule { name: "UTF8-3", text: "%xEE-EF 2( UTF8-tail )", leads: (0xEE, 0xEF) },
    Rule { name: "UTF8-4", text: "%xF0 %x90-BF 2( UTF8-tail )", leads: (0xF0, 0xF0) },
    Rule { name: "UTF8-4", text: "%xF1-F3 3( UTF8-tail )", leads: (0xF1, 0xF3) },
    Rule { name: "UTF8-4", text: "%xF4 %x80-8F 2( UTF8-tail )", leads: (0xF4, 0xF4) },
];

/// Returns the alternative that a sequence with this lead byte must match.
pub(crate) fn rule(lead: u8) -> Option<&'static Rule> {
    RULES.iter().find(|rule| (rule.leads.0..=rule.leads.1).contains(&lead))
}

#[cfg(test)]
mod tests {
    use placemat::Form;

    use super::*;
    use crate::explain::layout::{Class, followers, ranges};

    /// The table and the library's reader agree on every first byte, and on the second bytes.
    #[test]
    fn the_grammar_is_that_of_the_reader() {
        for byte in 0..=0xFF {
            let begins = !matches!(Class::of(Form::Utf8, byte), Class::Continuation | Class::Never(_));
            assert_eq!(rule(byte).is_some(), begins, "{byte:02X}");
            let Some(rule) = rule(byte) else { continue };
            let second = match rule.text.split(' ').nth(1) {
                Some(range) if range.starts_with("%x") => (hex(&range[2..4]), hex(&range[5..7])),
                _ => (0x80, 0xBF),
            };
            if rule.name != "UTF8-1" {
                assert_eq!(ranges(followers(Form::Utf8, &[byte])), [second], "{byte:02X}");
            }
            assert!(rule.text.starts_with(&format!("%x{:02X}", rule.leads.0)));
        }
    }

    fn hex(digits: &str) -> u8 {
        u8::from_str_radix(digits, 16).unwrap()
    }
}
