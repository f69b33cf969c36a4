#!/bin/bash
# Tests install-packages.sh with a stand-in for every program that would look at
# or change the system. Installs nothing.
set -euo pipefail

script=$(cd "$(dirname "$0")" && pwd)/install-packages.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "FAILED: $1" >&2
  cat "$work/output" "$work/log" >&2
  exit 1
}

# stand_in NAME: a program that runs the text on its standard input.
stand_in() {
  { echo '#!/bin/bash'; cat; } >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# A machine with only stand-ins and the few tools that the script itself needs.
new_machine() {
  rm -rf "${work:?}"/*
  mkdir "$work/bin"
  touch "$work/log" "$work/output"
  local tool
  for tool in bash sed grep dirname env; do
    ln -s "$(command -v "$tool")" "$work/bin/$tool"
  done
  stand_in id <<<'echo 0'
  stand_in apt-get <<<"echo \"apt-get \$DEBIAN_FRONTEND \$*\" >>$work/log"
  stand_in dpkg-query <<<'echo "here installed"; echo "gone config-files"; exit 1'
}

run_script() {
  printf '# a comment\nhere  # there already\ngone\nnever # seen\n' \
    >"$work/packages.txt"
  PATH="$work/bin" "$script" "$work/packages.txt" >"$work/output" 2>&1
}

logged() { grep -qxF -- "$1" "$work/log"; }
printed() { grep -qF -- "$1" "$work/output"; }

new_machine
run_script || fail "installing as root"
printed "missing Debian packages: gone never" || fail "does not say what is missing"
logged "apt-get noninteractive --quiet update" || fail "no update before"
logged "apt-get noninteractive --quiet install --yes --no-install-recommends gone never" ||
  fail "does not install just what is missing"

new_machine
stand_in dpkg-query <<<"printf '%s installed\\n' here gone never"
run_script || fail "nothing to do"
[ ! -s "$work/log" ] || fail "ran apt-get although nothing was missing"
[ ! -s "$work/output" ] || fail "talks although nothing was missing"

new_machine
stand_in id <<<'echo 1000'
run_script && fail "went on without root and sudo"
printed "apt-get install --no-install-recommends gone never" || fail "does not tell what to run"
[ ! -s "$work/log" ] || fail "ran apt-get without the right to"

new_machine
stand_in id <<<'echo 1000'
stand_in sudo <<<"echo sudo >>$work/log; exec \"\$@\""
run_script || fail "installing with sudo"
logged "sudo" || fail "did not use sudo"
logged "apt-get noninteractive --quiet install --yes --no-install-recommends gone never" ||
  fail "sudo does not keep DEBIAN_FRONTEND"

new_machine
stand_in apt-get <<<'exit 100'
run_script && fail "hides that apt-get failed"

new_machine
rm "$work/bin/dpkg-query"
run_script || fail "stops on a system that is not Debian"
printed "here gone never" || fail "does not list the packages there"

new_machine
stand_in have <<<'exit 1'
printf 'gone/have\nnever/lack\n' >"$work/packages.txt"
PATH="$work/bin" "$script" "$work/packages.txt" >"$work/output" 2>&1 ||
  fail "installing what a command is lacking for"
logged "apt-get noninteractive --quiet install --yes --no-install-recommends never" ||
  fail "does not go by the command that is there"

echo "install-packages.sh: all cases hold"
