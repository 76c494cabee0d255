//! Formats numbers for people.

use crate::notation::number;

/// Formats a number in at most nine columns: exact below ten million, then three digits and a suffix.
pub(crate) fn compact(n: u64) -> String {
    if n < 10_000_000 {
        return number(n);
    }
    let mut value = n as f64;
    let mut suffix = "";
    for next in ["k", "M", "G", "T", "P", "E"] {
        // From 999.5 on, the value would be shown as 1000.
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        suffix = next;
    }
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.digits$} {suffix}")
}

/// Formats a share as a percentage. Only 0 is shown as 0 %, and only the whole as 100 %.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    match part as f64 / whole.max(1) as f64 * 100.0 {
        _ if part == 0 => "0 %".to_owned(),
        _ if part == whole => "100 %".to_owned(),
        share if share < 1.0 => "<1 %".to_owned(),
        share => format!("{:.0} %", share.min(99.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_shares_are_honest() {
        let numbers = [0, 9_999_999, 10_000_000, 123_456_789, 999_600_000, u64::MAX].map(compact);
        assert_eq!(numbers, ["0", "9,999,999", "10.0 M", "123 M", "1.00 G", "18.4 E"]);
        let shares = [(0, 0), (0, 5), (5, 5), (1, 1000), (999, 1000), (1, 3)].map(|(a, b)| percent(a, b));
        assert_eq!(shares, ["0 %", "0 %", "100 %", "<1 %", "99 %", "33 %"]);
    }
}
