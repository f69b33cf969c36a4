#!/bin/bash
# Installs the Debian packages of packages.txt that are missing, and says which.
# Asks nothing; does nothing when all are there.
set -euo pipefail

list=${1:-$(dirname "$0")/packages.txt}

say() { echo "set-up: $*"; }

mapfile -t listed < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$list")

# "package/command" is for those who do not have the command from elsewhere.
wanted=()
for entry in "${listed[@]}"; do
  if [[ $entry == */* ]] && command -v "${entry#*/}" >/dev/null; then
    continue
  fi
  wanted+=("${entry%%/*}")
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "not a Debian system; make sure that these or their like are installed:"
  say "${wanted[*]}"
  exit 0
fi

# dpkg-query fails when it knows no package of a name; what it prints counts.
installed=$(dpkg-query --show \
  --showformat='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null |
  sed -n 's/ installed$//p' || true)
missing=()
for package in "${wanted[@]}"; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done

if [ ${#missing[@]} -eq 0 ]; then
  exit 0
fi
say "missing Debian packages: ${missing[*]}"

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    say "not root and no sudo; ask an administrator to run" >&2
    say "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet "$@"
}

say "installing them"
apt update
apt install --yes --no-install-recommends "${missing[@]}"
