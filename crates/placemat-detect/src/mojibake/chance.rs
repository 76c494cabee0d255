//! Formulas and drawings that look like one misread character.
#![forbid(unsafe_code)]

use super::run::Run;

/// Whether a run is a root of an operator (`√∂x`, `√±1`) or a line of a drawing with a letter (`├ñ`), and nothing beside it says
/// that it is a letter of a word: no letter before it, and no two behind it.
pub(super) fn is_alone(line: &[char], run: &Run, is_drawing: bool) -> bool {
    let before = run.span.start.checked_sub(1).and_then(|at| line.get(at));
    let behind = line.get(run.span.end..).unwrap_or_default();
    let letters = behind.iter().take(2).take_while(|c| c.is_alphabetic()).count();
    let is_in_word = before.is_some_and(|c| c.is_alphabetic());
    match line[run.span.clone()] {
        ['√', sign] => is_operator(sign) && !is_in_word && letters < 2,
        // In a tree of files, a name follows the branch.
        ['├', _] if begins(line, run) && letters == 0 => true,
        ['├' | '┬', _] => !is_in_word && is_drawing,
        _ => false,
    }
}

fn is_operator(c: char) -> bool {
    matches!(c, '\u{2200}'..='\u{22FF}' | '±' | '÷' | '×' | 'π' | 'Σ' | 'Ω')
}

/// Whether nothing but white space stands before it.
fn begins(line: &[char], run: &Run) -> bool {
    line[..run.span.start].iter().all(|c| c.is_whitespace())
}

/// Whether the line has parts of drawings that are no bytes of a misread character.
/// `beyond`: where it is not ASCII.
pub(super) fn is_drawing(line: &[char], beyond: &[usize]) -> bool {
    let is_lead = |c: char| matches!(c, '├' | '┬');
    let behind_lead = |at: usize| at.checked_sub(1).is_some_and(|before| is_lead(line[before]));
    let is_part =
        |&at: &usize| matches!(line[at], '\u{2500}'..='\u{259F}') && !is_lead(line[at]) && !behind_lead(at);
    beyond.iter().any(is_part)
}
