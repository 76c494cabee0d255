//! The grammar of UTF-8 in RFC 3629, section 4, as a table.

/// One alternative of one rule.
pub(crate) struct Rule {
    /// The rule that it belongs to, as the RFC names it.
    pub(crate) name: &'static str,
    /// The alternative, in ABNF.
    pub(crate) text: &'static str,
    pub(crate) leads: (u8, u8),
    /// What may come second; `None` in a sequence of one byte.
    pub(crate) second: Option<(u8, u8)>,
}

const TAIL: Option<(u8, u8)> = Some((0x80, 0xBF));

pub(crate) const RULES: &[Rule] = &[
    Rule { name: "UTF8-1", text: "%x00-7F", leads: (0x00, 0x7F), second: None },
    Rule { name: "UTF8-2", text: "%xC2-DF UTF8-tail", leads: (0xC2, 0xDF), second: TAIL },
    Rule { name: "UTF8-3", text: "%xE0 %xA0-BF UTF8-tail", leads: (0xE0, 0xE0), second: Some((0xA0, 0xBF)) },
    Rule { name: "UTF8-3", text: "%xE1-EC 2( UTF8-tail )", leads: (0xE1, 0xEC), second: TAIL },
    Rule { name: "UTF8-3", text: "%xED %x80-9F UTF8-tail", leads: (0xED, 0xED), second: Some((0x80, 0x9F)) },
    Rule { name: "UTF8-3", text: "%xEE-EF 2( UTF8-tail )", leads: (0xEE, 0xEF), second: TAIL },
    Rule {
        name: "UTF8-4",
        text: "%xF0 %x90-BF 2( UTF8-tail )",
        leads: (0xF0, 0xF0),
        second: Some((0x90, 0xBF)),
    },
    Rule { name: "UTF8-4", text: "%xF1-F3 3( UTF8-tail )", leads: (0xF1, 0xF3), second: TAIL },
    Rule {
        name: "UTF8-4",
        text: "%xF4 %x80-8F 2( UTF8-tail )",
        leads: (0xF4, 0xF4),
        second: Some((0x80, 0x8F)),
    },
];

/// The alternative that a sequence with this lead byte must match.
pub(crate) fn rule(lead: u8) -> Option<&'static Rule> {
    RULES.iter().find(|rule| (rule.leads.0..=rule.leads.1).contains(&lead))
}
