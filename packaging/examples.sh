#!/bin/sh
# README's examples with the placemat that is installed. To be run in a folder with README.md and samples, by any POSIX shell.
set -eu
fail() { echo "FAILED: $*" >&2; exit 1; }

for tool in cc gcc clang rustc cargo; do
  ! command -v "$tool" >/dev/null || fail "there is a $tool: this root shows nothing"
done
placemat --version

# "I have a file. What now?": each line, with a file.
sed -n '/^## I have a file/,/^## The command/p' README.md | grep '^placemat' | sed 's/ *#.*//; s:FILE:samples/letter.txt:' >lines
[ "$(wc -l <lines)" -eq 5 ] || fail "README.md has other lines for a file"
while read -r line; do
  status=0
  sh -c "$line" >out 2>&1 </dev/null || status=$?
  [ "$status" -le 1 ] || fail "$line: $status, $(cat out)"
  [ -s out ] || fail "$line says nothing"
done <lines

# What README shows of the samples is what the command says.
status=0
placemat check samples >out 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "placemat check samples: $status"
sed -n '/^\$ placemat check samples/,/^```/p' README.md | grep -v -e '^\$' -e '^```' -e '^…$' >shown
while IFS= read -r line; do
  grep -qxF -e "$line" out || fail "README.md shows what the command does not say: $line"
done <shown
tail -n 1 out

printf 'The cafÃ© is open — today.\n' >note.txt
[ "$(placemat repair --mojibake note.txt 2>/dev/null)" = 'The café is open — today.' ] || fail "placemat repair --mojibake"
printf 'caf\351' >old.txt
placemat convert -f windows-1252 --in-place old.txt
[ "$(cat old.txt)" = 'café' ] || fail "placemat convert --in-place"

# The manual and the completions, where a package put them.
if command -v man >/dev/null && [ -e /usr/share/doc/placemat ]; then
  man placemat | grep -q 'placemat' || fail "man placemat"
  man placemat-check >/dev/null || fail "man placemat-check"
fi
script=/usr/share/bash-completion/completions/placemat
if [ -e "$script" ] && command -v bash >/dev/null; then
  found=$(bash -c ". $script; COMP_WORDS=(placemat convert -f cesu); COMP_CWORD=3; _placemat placemat cesu -f; echo \"\${COMPREPLY[*]}\"")
  case " $found " in *" cesu-8 "*) ;; *) fail "completion of cesu gives: $found" ;; esac
fi
if command -v python3 >/dev/null && python3 -c 'import placemat' 2>/dev/null; then
  line=$(grep '^python -c .import placemat;' README.md)
  [ "$(sh -c "$line")" = '“café” truncated at byte 3 (length 1)' ] || fail "$line"
  python3 -m placemat --version
fi
echo "README's examples: all right"
