//! The results for a column are those of the library for each row.
#![forbid(unsafe_code)]

mod edges;
mod layouts;
mod rows;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef};
use placemat::{Form, Policy, Transcoder, Unencodable, convert_with};
use placemat_arrow::{Error, Unit};

use crate::layouts::{layouts, row};
use crate::rows::{Dice, Row};

/// Columns of every layout with rows of every kind, whole and in part.
fn for_each_column(mut check: impl FnMut(&ArrayRef, &[Row])) {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let rows = rows::rows(&mut dice);
        for column in layouts(&rows, &mut dice) {
            check(&column, &rows);
            let (from, to) = dice.range(rows.len());
            check(&column.slice(from, to - from), &rows[from..to]);
        }
    }
}

const FORMS: [Form; 6] = [Form::Utf8, Form::Wtf8, Form::Cesu8, Form::UsAscii, Form::Utf16Le, Form::Utf7];

#[test]
fn verdicts_are_those_of_the_rows() {
    for_each_column(|column, rows| {
        for form in FORMS {
            let valid = placemat_arrow::is_valid(column, form).unwrap();
            let expected: Vec<_> = rows
                .iter()
                .map(|row| row.as_ref().map(|row| placemat::errors(form, row).next().is_none()))
                .collect();
            assert_eq!(valid.iter().collect::<Vec<_>>(), expected, "{form} {column:?}");
        }
    });
}

#[test]
fn errors_are_those_of_the_rows() {
    for_each_column(|column, rows| {
        for form in FORMS {
            let errors_of =
                |row: &Row| row.iter().flat_map(|row| placemat::errors(form, row)).collect::<Vec<_>>();
            let facts = |error: &placemat::Error| {
                (error.offset() as i64, i64::from(error.length()), error.kind().name())
            };

            let first = placemat_arrow::first_error(column, form).unwrap();
            assert_eq!(first.data_type(), &placemat_arrow::first_error_type());
            let number =
                |name: &str, row| first.column_by_name(name).unwrap().as_primitive::<Int64Type>().value(row);
            for (at, row) in rows.iter().enumerate() {
                let kind = first.column_by_name("kind").unwrap().as_string::<i32>().value(at);
                let found = first.is_valid(at).then(|| (number("offset", at), number("length", at), kind));
                assert_eq!(found, errors_of(row).first().map(facts));
            }

            let all = placemat_arrow::errors(column, form).unwrap();
            let number = |name: &str| all[name].as_primitive::<Int64Type>().values().iter().copied();
            let kinds = all["kind"].as_string::<i32>().iter().flatten();
            let found: Vec<_> =
                number("row").zip(number("offset").zip(number("length")).zip(kinds)).collect();
            let expected = rows
                .iter()
                .enumerate()
                .flat_map(|(at, row)| errors_of(row).into_iter().map(move |error| (at as i64, error)));
            let expected: Vec<_> = expected
                .map(|(at, error)| {
                    (at, ((error.offset() as i64, i64::from(error.length())), error.kind().name()))
                })
                .collect();
            assert_eq!(found, expected);
        }
    });
}

/// The expected rows, or the row and error at which a policy stops.
fn expected(rows: &[Row], from: Form, to: Form, policy: Policy) -> Result<Vec<Row>, Error> {
    let converted = |(at, row): (usize, &Row)| {
        let convert = |row: &Vec<u8>| convert_with(Transcoder::new(from, to).on_error(policy), row);
        row.as_ref().map(convert).transpose().map_err(|error| Error::Row { row: at, error })
    };
    rows.iter().enumerate().map(converted).collect()
}

fn compare(column: &ArrayRef, rows: &[Row], (from, to): (Form, Form), policy: Policy) {
    let context = || format!("{from} to {to}, {policy:?}: {column:?}");
    match (placemat_arrow::convert(column, from, to, policy), expected(rows, from, to, policy)) {
        (Ok(found), Ok(expected)) => {
            found.to_data().validate_full().unwrap();
            assert_eq!(found.data_type(), &layouts::converted(column.data_type(), to == Form::Utf8));
            let found: Vec<Row> = (0..found.len()).map(|at| row(&found, at)).collect();
            assert_eq!(found, expected, "{}", context());
        }
        (Err(found), Err(expected)) => assert_eq!(found, expected, "{}", context()),
        (found, expected) => panic!("{}: {found:?} for {expected:?}", context()),
    }
}

#[test]
fn repair_is_that_of_the_rows() {
    for_each_column(|column, rows| {
        for &(_, policy) in Policy::ALL {
            if policy.fits(Form::Utf8, Form::Utf8).is_ok() {
                compare(column, rows, (Form::Utf8, Form::Utf8), policy);
            }
        }
    });
}

#[test]
fn conversion_is_that_of_the_rows() {
    let pairs = [
        (Form::Windows1252, Form::Utf8),
        (Form::Utf8, Form::Utf16Le),
        (Form::Utf8, Form::Utf32Be),
        (Form::Utf8, Form::Iso8859_1),
        (Form::Cesu8, Form::Utf8),
        (Form::Utf8, Form::Utf7),
        (Form::Utf16, Form::Utf8),
        (Form::Utf8, Form::Utf8Bom),
        (Form::Wtf8, Form::Wtf8),
    ];
    let policies = [
        Policy::Stop,
        Policy::Replace.unencodable(Unencodable::Ncr),
        Policy::Cp1252.unencodable(Unencodable::Skip),
    ];
    for_each_column(|column, rows| {
        for pair in pairs {
            for policy in policies {
                compare(column, rows, pair, policy);
            }
        }
    });
}

#[test]
fn lengths_are_those_of_the_rows() {
    for_each_column(|column, rows| {
        for form in FORMS {
            let length_in = |to: Form, row: &[u8]| {
                let policy = Policy::Replace.unencodable(Unencodable::Replace(None));
                convert_with(Transcoder::new(form, to).on_error(policy), row).unwrap().len()
            };
            let check = |unit: Unit, length: &dyn Fn(&[u8]) -> usize| {
                let found = placemat_arrow::lengths(column, form, unit).unwrap();
                let expected = rows.iter().map(|row| row.as_ref().map(|row| length(row) as i64));
                assert_eq!(found.iter().collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{form} {unit:?}");
            };
            check(Unit::CodePoint, &|row| placemat::count(form, row));
            check(Unit::Byte(form), &<[u8]>::len);
            check(Unit::Byte(Form::Iso8859_1), &|row| length_in(Form::Iso8859_1, row));
            check(Unit::Utf16, &|row| length_in(Form::Utf16LeSurrogates, row) / 2);
        }
    });
}

#[test]
fn detection_is_that_of_the_rows() {
    let mut dice = Dice(1);
    let rows = rows::rows(&mut dice);
    for column in layouts(&rows, &mut dice) {
        let found = placemat_arrow::detect(&column).unwrap();
        assert_eq!(found.data_type(), &placemat_arrow::detect_type());
        let encodings = found.column_by_name("encoding").unwrap().as_string::<i32>();
        for (at, row) in rows.iter().enumerate() {
            let expected = row.as_ref().map(|row| placemat_detect::detect(row, true).encoding.name());
            assert_eq!(found.is_valid(at).then(|| encodings.value(at)), expected);
        }
    }
}

#[test]
fn what_is_not_shown_is_that_of_the_rows() {
    use placemat::invisible::{Kinds, findings_of};

    for_each_column(|column, rows| {
        for kinds in [Kinds::DEFAULT, Kinds::ALL] {
            let of = |row: &Row| row.iter().flat_map(|row| findings_of(row, kinds)).count() as i64;
            let counts = placemat_arrow::invisible_counts(column, kinds).unwrap();
            let expected: Vec<_> = rows.iter().map(|row| row.as_ref().map(|_| of(row))).collect();
            assert_eq!(counts.iter().collect::<Vec<_>>(), expected, "{column:?}");
            let found = placemat_arrow::invisible(column, kinds).unwrap();
            let numbers =
                |name: &str| found.column_by_name(name).unwrap().as_primitive::<Int64Type>().values();
            let names = found.column_by_name("kind").unwrap().as_string::<i32>();
            let mut at = 0;
            for (number, row) in rows.iter().enumerate() {
                let mut expected: Vec<_> = row.iter().flat_map(|row| findings_of(row, kinds)).collect();
                expected.sort_by_key(|one| one.offset);
                for one in expected {
                    let there =
                        (numbers("row")[at], numbers("offset")[at], numbers("length")[at], names.value(at));
                    assert_eq!(there, (number as i64, one.offset as i64, one.length as i64, one.kind.name()));
                    at += 1;
                }
            }
            assert_eq!(at, found.num_rows());
        }
    });
}
