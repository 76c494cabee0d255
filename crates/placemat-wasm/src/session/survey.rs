//! Surveys: sums over many texts.

#![forbid(unsafe_code)]

use std::io::{self, BufReader, Read};

use placemat_text::escape;
use placemat_text::io::{HEAD, is_binary};
use placemat_text::survey::{Merged, Reader, Survey, each_field};

use crate::session::{Answer, Session};

/// The open surveys, and the reader of their texts.
#[derive(Default)]
pub(crate) struct Surveys {
    open: Vec<Option<Survey>>,
    reader: Reader,
}

impl Session {
    /// Settings: a field of JSON Lines, or nothing. Returns a handle.
    pub(crate) fn survey_open(&mut self) -> i32 {
        let [field] = self.lines();
        let survey = Survey::new((!field.is_empty()).then_some(field));
        let open = &mut self.surveys.open;
        let free = open.iter().position(Option::is_none).unwrap_or_else(|| {
            open.push(None);
            open.len() - 1
        });
        open[free] = Some(survey);
        free as i32
    }

    /// Settings: the path of a file, or nothing if the text is not a file. Answers 1 for a text, 0 for a binary file, which
    /// counts as skipped.
    pub(crate) fn survey_add(&mut self, handle: usize, source: &mut dyn Read) -> i32 {
        let [path] = self.lines();
        let Surveys { open, reader } = &mut self.surveys;
        let Some(Some(survey)) = open.get_mut(handle) else { return self.answer(closed()) };
        let one = match one(reader, source, survey.field.clone(), !path.is_empty()) {
            Ok(one) => one,
            Err(error) => {
                survey.files_failed += u64::from(!path.is_empty());
                return self.answer(Err(error.to_string()));
            }
        };
        let is_text = one.is_some();
        match one {
            Some(one) if path.is_empty() => survey.merge(one),
            Some(one) => survey.merge(one.of_file(path.into())),
            None => survey.files_skipped += 1,
        }
        i32::from(is_text)
    }

    /// Adds the survey in the input, which is JSON.
    pub(crate) fn survey_merge(&mut self, handle: usize) -> i32 {
        let survey = self.surveys.open.get_mut(handle).and_then(Option::as_mut);
        let merged = survey.ok_or_else(|| "this object was disposed".to_owned()).and_then(|survey| {
            let mut merged = Merged::default();
            let own = serde_json::to_vec(survey).map_err(|error| error.to_string())?;
            for mut part in [&own[..], &self.input] {
                merged.add(&mut part).map_err(|error| error.to_string())?;
            }
            *survey = merged.into_total();
            Ok(Answer::text(String::new()))
        });
        self.answer(merged)
    }

    /// The survey as JSON.
    pub(crate) fn survey_json(&mut self, handle: usize) -> i32 {
        let survey = self.surveys.open.get(handle).and_then(Option::as_ref);
        let answer = survey.map_or_else(closed, Answer::of);
        self.answer(answer)
    }

    /// Returns the survey as a web page. Settings: what was surveyed.
    pub(crate) fn survey_page(&mut self, handle: usize) -> i32 {
        let [title] = self.lines();
        let survey = self.surveys.open.get(handle).and_then(Option::as_ref);
        let page = survey.map(|survey| Answer::text(survey.page(&escape::text(&title).to_string())));
        self.answer(page.map_or_else(closed, Ok))
    }

    /// Returns the survey as a table for people, `width` columns wide.
    pub(crate) fn survey_table(&mut self, handle: usize, width: usize) -> i32 {
        let mut table = Vec::new();
        let survey = self.surveys.open.get(handle).and_then(Option::as_ref);
        let written = survey.map(|survey| survey.write_table(width, &mut table));
        let answer = match written {
            Some(Ok(())) => Ok(Answer::bytes(table)),
            Some(Err(error)) => Err(error.to_string()),
            None => closed(),
        };
        self.answer(answer)
    }

    /// Closes a survey. Its handle may be used again.
    pub(crate) fn survey_close(&mut self, handle: usize) {
        if let Some(survey) = self.surveys.open.get_mut(handle) {
            *survey = None;
        }
    }
}

fn closed() -> Result<Answer, String> {
    Err("this object was disposed".to_owned())
}

/// Surveys one text; `None` for a binary file.
fn one(
    reader: &mut Reader,
    source: &mut dyn Read,
    field: Option<String>,
    is_file: bool,
) -> io::Result<Option<Survey>> {
    let mut head = Vec::new();
    source.take(HEAD).read_to_end(&mut head)?;
    if is_file && is_binary(&head) {
        return Ok(None);
    }
    let mut source = io::Cursor::new(head).chain(source);
    let mut total = Survey::new(field);
    let Some(field) = total.field.clone() else {
        total.add(&reader.read(&mut source)?);
        return Ok(Some(total));
    };
    let mut failed = Ok(());
    let mut lines = BufReader::with_capacity(64 << 10, source);
    total.lines = each_field(&mut lines, &field, &mut |text| match reader.read(&mut &text[..]) {
        Ok(text) => total.add(&text),
        Err(error) => failed = Err(error),
    })?;
    failed.map(|()| Some(total))
}
