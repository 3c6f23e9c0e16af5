#!/bin/sh
# Build daylight.pdf and queue.pdf from their sources.
#
#   ./build.sh           build and replace the two files
#   ./build.sh --check   build and compare with the two files; leave them as they are
#
# Needs pdflatex (TeX Live). On Debian: apt-get install texlive-latex-extra texlive-pictures lmodern
# With the same versions of these the output is the same byte for byte: no times, no paths, no random identifiers.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/*.tex "$work"
cd "$work"

export SOURCE_DATE_EPOCH=1793491200 FORCE_SOURCE_DATE=1 TZ=UTC LC_ALL=C
for name in daylight queue; do
  for pass in first second; do
    pdflatex -interaction=nonstopmode -halt-on-error "$name.tex" >"$pass.txt" || { tail -n 20 "$pass.txt" >&2; exit 1; }
  done
  if [ "${1:-}" = --check ]; then
    cmp "$name.pdf" "$here/$name.pdf"
  else
    cp "$name.pdf" "$here"
  fi
done
