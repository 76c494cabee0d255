//! The cases: encodings with a text for each, and a line of shell for each program.

/// Encodings that have every character of a text, and the text.
#[rustfmt::skip]
pub(super) const TEXTS: [(&[&str], &str); 13] = [
    (&["ISO-8859-1", "ISO-8859-15", "CP1252", "CP850", "MACINTOSH", "CP437"], "Crème brûlée, ñandú à la façon d'été: Grüße"),
    (&["ISO-8859-2", "CP1250", "CP852"], "Příliš žluťoučký kůň úpěl ďábelské ódy"),
    (&["KOI8-R", "CP1251", "ISO-8859-5", "CP866", "CP855"], "Съешь ещё этих мягких французских булок"),
    (&["KOI8-U"], "Щастя було, є і буде: ґанок, їжак"),
    (&["ISO-8859-7", "CP1253", "CP737"], "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία"),
    (&["ISO-8859-9", "CP1254", "CP857"], "Pijamalı hasta yağız şoföre çabucak güvendi"),
    (&["ISO-8859-8", "CP862"], "דג סקרן שט בים מאוכזב"),
    (&["ISO-8859-6", "CP1256"], "صفحة قديمة"),
    (&["ISO-8859-13", "CP1257", "CP775"], "Įlinkdama fechtuotojo špaga žvangėjo"),
    (&["TIS-620", "ISO-8859-11", "CP874"], "เป็นมนุษย์สุดประเสริฐ"),
    (&["EUC-JP", "SJIS", "CP932", "ISO-2022-JP"], "いろはにほへと 漢字カナ 日本語"),
    (&["GB2312", "GBK", "GB18030", "EUC-KR", "UHC"], "天地人 中"),
    (&["UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32", "UCS-2LE", "UCS-4"], "Grüße, мир, 日本"),
];

/// Traditional Chinese, which the encodings above lack.
pub(super) const BIG5: (&[&str], &str) = (&["BIG5", "BIG5-HKSCS"], "天地玄黃 宇宙洪荒");

/// A program and a line of shell, with `$E` for the encoding. The text is in the file `text`, in UTF-8. The output is
/// what the program writes and the file `out`.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) line: &'static str,
    /// Whether it takes encodings in which ASCII is not ASCII.
    pub(super) takes_all: bool,
}

const fn all(name: &'static str, line: &'static str) -> Program {
    Program { name, line, takes_all: true }
}

const fn ascii(name: &'static str, line: &'static str) -> Program {
    Program { name, line, takes_all: false }
}

pub(super) const PROGRAMS: [Program; 18] = [
    // Without a preload, which glibc's iconv(1) ignores: our command under that name.
    all("iconv to", "iconv -f UTF-8 -t $E text"),
    all("iconv there and back", "iconv -f UTF-8 -t $E text > mid && iconv -f $E -t UTF-8 mid"),
    all("iconv //TRANSLIT", "iconv -f UTF-8 -t $E//TRANSLIT text"),
    all("iconv under the preload", "/usr/bin/iconv -f UTF-8 -t $E text"),
    ascii(
        "git log --encoding",
        "git init -q . && git add text && git commit -qF text && git log --encoding=$E --format=%s%n%b",
    ),
    ascii(
        "git i18n.commitEncoding",
        "git init -q . && git config i18n.commitEncoding $E && /usr/bin/iconv -f UTF-8 -t $E text > message && git add text \
         && git commit -qF message && git log --encoding=UTF-8 --format=%s && git cat-file commit HEAD | tail -n 1",
    ),
    all(
        "git working-tree-encoding",
        "git init -q . && echo \"*.txt working-tree-encoding=$E\" > .gitattributes && /usr/bin/iconv -f UTF-8 -t $E text > a.txt \
         && git add a.txt && git show :a.txt && rm a.txt && git checkout -q a.txt && cat a.txt",
    ),
    all(
        "vim ++enc reads",
        "/usr/bin/iconv -f UTF-8 -t $E text > in && vim.basic -u NONE -es -N +\"e ++enc=$E in\" +'w! ++enc=utf-8 out' +qa!",
    ),
    all("vim ++enc writes", "vim.basic -u NONE -es -N +'e ++enc=utf-8 text' +\"w! ++enc=$E out\" +qa!"),
    ascii(
        "msgconv",
        "printf 'msgid \"\"\\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\\\n\"\\n\\nmsgid \"a\"\\nmsgstr \"%s\"\\n' \"$(cat text)\" \
         > a.po && msgconv -t $E -o mid.po a.po && cat mid.po && msgconv -t UTF-8 mid.po",
    ),
    ascii("xmllint writes", "printf '<a>%s</a>' \"$(cat text)\" > a.xml && xmllint --encode $E a.xml"),
    ascii(
        "xmllint reads",
        "printf '<?xml version=\"1.0\" encoding=\"%s\"?><a>%s</a>' $E \"$(cat text)\" | /usr/bin/iconv -f UTF-8 -t $E > a.xml \
         && xmllint --encode UTF-8 a.xml",
    ),
    ascii(
        "rsync --iconv",
        "mkdir from && touch \"from/$(cat text)\" && rsync -a --iconv=UTF-8,$E from/ to/ && ls to",
    ),
    ascii(
        "bsdtar writes",
        "touch \"$(cat text)\" && bsdtar --format ustar --options hdrcharset=$E -cf a.tar \"$(cat text)\" && head -c 100 a.tar",
    ),
    all(
        "Perl's Text::Iconv",
        "perl -MText::Iconv -e 'undef $/; print Text::Iconv->new(\"UTF-8\", $ARGV[0])->convert(<STDIN>)' $E < text",
    ),
    all(
        "lua-iconv",
        "E=$E lua5.3 -e 'local i = require \"iconv\"; io.write((i.new(os.getenv(\"E\"), \"UTF-8\"):iconv(io.read(\"a\"))))' < text",
    ),
    ascii(
        "gcc -fexec-charset",
        "printf 'char *a = \"%s\";\\n' \"$(cat text)\" > a.c && gcc -fexec-charset=$E -S -o - a.c",
    ),
    ascii(
        "bsdtar reads",
        "f=$(/usr/bin/iconv -f UTF-8 -t $E text) && touch \"$f\" && tar --format ustar -cf a.tar \"$f\" \
         && bsdtar --options hdrcharset=$E -tf a.tar",
    ),
];

/// Debian's packages with these programs.
#[rustfmt::skip]
pub(super) const PACKAGES: [&str; 11] = [
    "git", "vim", "rsync", "gettext", "libxml2-utils", "libarchive-tools", "libc-bin", "libtext-iconv-perl", "lua-iconv", "lua5.3",
    "gcc",
];

/// Where ours differs and glibc's is not right, or the two mean different characters: program and encoding (`*` is any), and why.
pub(super) const KNOWN: [(&str, &str, &str); 0] = [];

/// Encodings in which the bytes of ASCII are not ASCII characters, or programs refuse for that reason.
pub(super) const WIDE: [&str; 7] =
    ["UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32", "UCS-2LE", "UCS-4", "ISO-2022-JP"];
