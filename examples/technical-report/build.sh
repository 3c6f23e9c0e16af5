#!/bin/sh
# Build report.pdf and report.html from report.tex and references.bib.
#
#   ./build.sh           build and replace the two files
#   ./build.sh --check   build and compare with the two files; leave them as they are
#
# Needs pdflatex, bibtex and latexmk (TeX Live), LaTeXML and perl. On Debian:
#   apt-get install texlive-latex-extra texlive-pictures lmodern latexmk latexml
# With the same versions of these the output is the same byte for byte: no times, no paths, no random identifiers.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/report.tex" "$here/references.bib" "$work"
cd "$work"

export SOURCE_DATE_EPOCH=1793491200 FORCE_SOURCE_DATE=1 TZ=UTC LC_ALL=C
latexmk -pdf -interaction=nonstopmode -halt-on-error -silent report.tex >latexmk.txt 2>&1 || { cat latexmk.txt >&2; exit 1; }

latexml --quiet --nocomments --destination=report.xml report.tex 2>latexml.txt || { cat latexml.txt >&2; exit 1; }
latexmlpost --quiet --format=html5 --timestamp=0 --destination=linked.html report.xml 2>>latexml.txt || { cat latexml.txt >&2; exit 1; }

# One file: the style sheets that latexmlpost puts beside the page move into it.
perl -0pe '
  s{<link rel="stylesheet" href="([^"/]+)"[^>]*>}{
    open my $css, "<", $1 or die "$1: $!";
    local $/;
    "<style>\n" . <$css> . "</style>"
  }ge;
  s{</head>}{<style>
/* The words of the figure stay on one line; cells are not justified. */
.ltx_picture foreignObject { font-size: 13px; white-space: nowrap; }
.ltx_tabular .ltx_p, .ltx_tabular .ltx_inline-block { margin: 0; text-align: left; }
</style>
</head>}' linked.html >report.html

if [ "${1:-}" = --check ]; then
  cmp report.pdf "$here/report.pdf"
  cmp report.html "$here/report.html"
else
  cp report.pdf report.html "$here"
fi
