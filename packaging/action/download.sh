#!/usr/bin/env bash
# Puts the placemat of a release on the path of the steps that follow. Needs VERSION, FOLDER, GH_TOKEN, and a runner's variables.
set -euo pipefail
case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) target=x86_64-unknown-linux-musl end=tar.gz ;;
  Linux-ARM64) target=aarch64-unknown-linux-musl end=tar.gz ;;
  macOS-X64) target=x86_64-apple-darwin end=tar.gz ;;
  macOS-ARM64) target=aarch64-apple-darwin end=tar.gz ;;
  Windows-X64) target=x86_64-pc-windows-msvc end=zip ;;
  Windows-ARM64) target=aarch64-pc-windows-msvc end=zip ;;
  *) echo "::error::placemat has no binary for $RUNNER_OS on $RUNNER_ARCH"; exit 1 ;;
esac
name="placemat-$VERSION-$target"
mkdir -p "$FOLDER"
cd "$FOLDER"
gh release download "v$VERSION" --repo placemat/placemat --pattern "$name.$end" --pattern SHA256SUMS --clobber
grep -F "  $name.$end" SHA256SUMS >sum
if command -v sha256sum >/dev/null; then sha256sum --check sum; else shasum -a 256 --check sum; fi
# Who built it: only the workflow of this project can sign that.
gh attestation verify "$name.$end" --repo placemat/placemat
case "$end" in
  zip) unzip -qo "$name.zip" ;;
  *) tar xf "$name.tar.gz" ;;
esac
echo "$FOLDER/$name" >>"$GITHUB_PATH"
