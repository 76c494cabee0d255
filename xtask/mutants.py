"""Builds all mutants of the library without its kernels into one program, and runs the tests on each.

`cargo mutants` lists the changes, but would build the tests again for each of two thousand of them. Here every function has
all its variants, and an environment variable chooses the one that runs: one build, then seconds for each mutant. Kernels are
left out, since tests compare them with the scalar code, and they would run instead of it.

python3 xtask/mutants.py [FILE ...]           tries the mutants that were not tried yet; the outcome is in target/mutants/outcome.tsv
python3 xtask/mutants.py --again [FILE ...]   tries again those that survived, with more tests, and with kernels too
"""

import collections
import functools
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
PLACE = ROOT / "target/mutants"
TREE = PLACE / "tree"
CRATE = TREE / "crates/placemat"
OUTCOME = PLACE / "outcome.tsv"
LEFT_OUT = ["vector/**", "kernel/**", "dispatch/**", "vector.rs", "kernel.rs", "dispatch.rs", "laws.rs"]
# Exhaustive tests that take as long as all others, and read the output of other code.
SLOW = ["every_code_point", "scalar_values_come_back", "output_is_bounded"]
# Chooses the variant that runs. The first panic ends the program: one test that fails is enough.
CHOICE = """
#[doc(hidden)]
pub fn variant() -> u32 {
    static CHOICE: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
        let choice = std::env::var("VARIANT").map_or(0, |text| text.parse().unwrap());
        if choice > 0 {
            std::panic::set_hook(std::boxed::Box::new(|_| std::process::exit(101)));
        }
        choice
    });
    *CHOICE
}
"""


def place(lines, at):
    """Converts a line and a column to an offset into the text."""
    return sum(len(line) + 1 for line in lines[: at["line"] - 1]) + at["column"] - 1


def body(text):
    """Where the body of a function begins, within its text."""
    depth = 0
    start = re.search(r"\bfn\s+\w+", text).end()
    for match in re.compile(r"//[^\n]*|->|[()\[\]{}]").finditer(text, start):
        mark = match[0]
        if mark in ("(", "["):
            depth += 1
        elif mark in (")", "]"):
            depth -= 1
        elif mark == "{" and depth == 0:
            return match.start()
    raise ValueError(text)


def of_machine(text, kernels):
    """The source with its kernels, or without them."""
    return text if kernels else re.sub(r'target_arch = "(x86_64|aarch64)"', "any()", text)


def write_tree(mutants, dropped, constant, kernels):
    """Writes a copy of the library in which every function has its variants, except those of constants and opaque types."""
    shutil.rmtree(CRATE, ignore_errors=True)
    shutil.copytree(ROOT / "crates/placemat", CRATE)
    shutil.copy(ROOT / "Cargo.lock", TREE)
    manifest = (ROOT / "Cargo.toml").read_text()
    manifest = re.sub(r'(?m)^((default-)?members|exclude) = .*\n', "", manifest)
    (TREE / "Cargo.toml").write_text(manifest.replace("[workspace]", '[workspace]\nmembers = ["crates/placemat"]'))
    with open(CRATE / "src/lib.rs", "a") as lib:
        lib.write(CHOICE)
    for path in CRATE.glob("src/**/*.rs"):
        path.write_text(of_machine(path.read_text(), kernels))
    of_file = collections.defaultdict(lambda: collections.defaultdict(list))
    for number, mutant in mutants.items():
        if mutant["function"] and number not in dropped:
            span = mutant["function"]["span"]
            of_file[mutant["file"]][span["start"]["line"], span["start"]["column"]].append(number)
    for file, functions in of_file.items():
        text = (ROOT / file).read_text()
        lines = text.split("\n")
        for _, numbers in sorted(functions.items(), reverse=True):
            span = mutants[numbers[0]]["function"]["span"]
            start, end = place(lines, span["start"]), place(lines, span["end"])
            begin = start + body(text[start:end])
            head = text[start:begin]
            name = mutants[numbers[0]]["function"]["function_name"]
            if "-> impl " in head:
                # Variants would return values of different types.
                constant.add(name)
            if name in constant:
                continue
            head = re.sub(r"#\[inline(\(always\))?\]\n?", "", re.sub(r"\bconst (unsafe )?fn\b", r"\1fn", head))
            head = re.sub(r"(?m)^( *)((pub(\([^)]*\))? )?(unsafe )?fn )", r"\1#[inline(never)]\n\1\2", head, count=1)
            arms = ""
            for number in numbers:
                change = mutants[number]["span"]
                first, last = place(lines, change["start"]), place(lines, change["end"])
                variant = text[begin:first] + mutants[number]["replacement"] + text[last:end]
                arms += f"\n/*VARIANT {number}*/ {number} => {variant}"
            variants = f"{{ match crate::variant() {{ {arms}\n/*PLAIN*/ _ => {text[begin:end]} }} }}"
            text = text[:start] + head + variants + text[end:]
        text = of_machine(text, kernels)
        (TREE / file).write_text(text + (CHOICE if file.endswith("src/lib.rs") else ""))


def cargo(*words):
    """Builds the tests without warnings. Returns the exit code, the messages and standard error."""
    line = ["cargo", *words, "--manifest-path", TREE / "Cargo.toml", "-p", "placemat", "--message-format=json"]
    env = dict(os.environ, RUSTFLAGS="-Awarnings --cap-lints warn", CARGO_TARGET_DIR=PLACE / "target")
    env |= {"CARGO_PROFILE_TEST_DEBUG": "0"}
    done = subprocess.run(line, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=TREE)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def not_compiling(messages):
    """The variants that the compiler refuses, and the functions that must stay constant."""
    dropped, constant = set(), set()
    for message in messages:
        message = message.get("message")
        if not message or message["level"] != "error":
            continue
        if named := re.search(r"cannot call non-const (associated function|method|function) `([^`]+)`", message["message"]):
            path = re.sub(r"::<[^<>]*>|<[^<>]*>", "", named[2])
            constant.add("::".join(path.split("::")[-1 if named[1] == "function" else -2 :]))
            continue
        for span in message["spans"]:
            if not span["is_primary"]:
                continue
            path = (TREE / span["file_name"]).resolve()
            before = path.read_text().split("\n")[: span["line_start"]]
            number = next((m[1] for line in reversed(before) if (m := re.match(r"/\*(?:VARIANT (\d+)|PLAIN)", line))), None)
            if number:
                dropped.add(int(number))
            else:
                sys.exit(message["rendered"])
    return dropped, constant


def build(mutants, kernels):
    """The test programs, and the variants that do not compile or cannot be chosen."""
    dropped, constant = set(), set()
    while True:
        write_tree(mutants, dropped, constant, kernels)
        code, messages, said = cargo("check", "--lib", "--tests")
        if code == 0:
            code, messages, said = cargo("test", "--lib", "--tests", "--no-run")
        if code == 0:
            programs = {m["target"]["name"]: m["executable"] for m in messages if m.get("executable")}
            return programs, dropped, constant
        more, kept = not_compiling(messages)
        names = {m["function"]["function_name"] for m in mutants.values() if m["function"]}
        kept = {name for name in names if re.sub(r"<[^<>]*>", "", name) in kept}
        print(f"{len(more)} variants do not compile, {len(kept)} functions stay constant", file=sys.stderr)
        if not more - dropped and not kept - constant:
            sys.exit(said + "".join((m.get("message") or {}).get("rendered") or "" for m in messages))
        dropped |= more
        constant |= kept


def run(program, number, skip, seconds):
    """Runs these tests with a variant, within so many seconds of CPU time. Returns the exit code."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

    line = [program, "--test-threads=2", "-q", *(word for name in skip for word in ("--skip", name))]
    env = dict(os.environ, VARIANT=str(number), CARGO_MANIFEST_DIR=str(CRATE))
    try:
        quiet = subprocess.DEVNULL
        done = subprocess.run(line, env=env, preexec_fn=limit, cwd=CRATE, stdout=quiet, stderr=quiet, timeout=40 * seconds)
        return done.returncode
    except subprocess.TimeoutExpired:
        return -9


def order(costs, file):
    """The tests named like the file, then the others, quick ones first."""
    stem = pathlib.Path(file).parts[3].removesuffix(".rs")[:5]
    return sorted(costs, key=lambda name: (not name.startswith(stem), costs[name]))


def quick(costs, file):
    """The tests that take a second at most, without those that test kernels."""
    stem = order(costs, file)[0][:5]
    few = [name for name in order(costs, file) if costs[name] < 1.0 and name != "guard" or name in ("placemat", "streaming")]
    return [name for name in order(costs, file) if name in few or name.startswith(stem)]


@functools.cache
def source(file):
    return (ROOT / file).read_text()


def digest(mutant):
    """A hash of the function that is changed or, outside of functions, of the file."""
    text = source(mutant["file"])
    if mutant["function"]:
        span, lines = mutant["function"]["span"], text.split("\n")
        text = text[place(lines, span["start"]) : place(lines, span["end"])]
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def listed():
    """Every mutant, by number."""
    listing = ["cargo", "mutants", "-p", "placemat", "--list", "--json"]
    listing += [word for path in LEFT_OUT for word in ("-e", f"crates/placemat/src/{path}")]
    mutants = json.loads(subprocess.run(listing, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    seen = collections.Counter()
    for mutant in mutants:
        # The key has the file, but no line and column, which change with every line above.
        file, _, _, change = mutant["name"].removeprefix("crates/placemat/src/").split(":", 3)
        seen[file, change] += 1
        mutant["key"] = f"{file}:{change} ({seen[file, change]})\t{digest(mutant)}"
    return dict(enumerate(mutants, 1))


def remembered(mutants):
    """The outcomes so far of the mutants that are still the same."""
    PLACE.mkdir(parents=True, exist_ok=True)
    lines = OUTCOME.read_text().splitlines() if OUTCOME.exists() else []
    known = dict.fromkeys((mutant["key"] for mutant in mutants.values()), "not tried")
    known |= {key: outcome for key, outcome in (line.rsplit("\t", 1) for line in lines) if key in known}
    OUTCOME.write_text("".join(f"{key}\t{outcome}\n" for key, outcome in known.items()))
    return known


def measured(programs, skip):
    """How long each program takes without a mutant."""
    costs = {}
    for name, program in programs.items():
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run(program, 0, skip, 900) != 0:
            sys.exit(f"{name} fails without a mutant")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs[name] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return costs


def outcome_of(number, programs, names, costs, skip):
    """Runs the tests on a variant. Returns the outcome in words."""
    for name in names:
        code = run(programs[name], number, skip, 3 + int(3 * costs[name]))
        if code != 0:
            return f"{'runs for ever in' if code in (-9, -24) else 'caught by'} {name}"
    return "survived"


def main():
    again = sys.argv[1:2] == ["--again"]
    wanted = (sys.argv[2:] if again else sys.argv[1:]) or [""]
    mutants = listed()
    known = remembered(mutants)
    due = "survived" if again else "not tried"
    chosen = {
        number: mutant
        for number, mutant in mutants.items()
        if known[mutant["key"]] == due and any(mutant["key"].startswith(want) for want in wanted)
    }
    if not chosen:
        return
    programs, dropped, constant = build(chosen, kernels=again)
    skip = SLOW if again else [*SLOW, "kernel::"]
    costs = measured(programs, skip)
    for number, mutant in chosen.items():
        if number in dropped:
            outcome = "does not compile"
        elif not mutant["function"] or mutant["function"]["function_name"] in constant:
            outcome = "fixed"
        else:
            names = (order if again else quick)(costs, mutant["file"])
            outcome = outcome_of(number, programs, names, costs, skip)
        with open(OUTCOME, "a") as file:
            file.write(f"{mutant['key']}\t{outcome}\n")


main()
