#!/bin/bash
# Has systemd look at the unit: that it understands every line, and that little
# is left that the server might do to the machine.
#
#   systemd-unit-test.sh <lamina-server.service> <lamina-server>
set -euo pipefail

unit=$1
server=$2

if ! command -v systemd-analyze >/dev/null; then
  echo "SKIPPED: no systemd-analyze here"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checked=$work/lamina-server.service
# The server is not installed yet.
sed "s|^ExecStart=[^ ]*|ExecStart=$server|" "$unit" >"$checked"

said=$(systemd-analyze verify --man=no "$checked" 2>&1 | grep -F lamina-server.service || true)
if [ -n "$said" ]; then
  echo "FAILED: systemd-analyze verify: $said" >&2
  exit 1
fi

# 0.0 is a unit that may do nothing, 10.0 one that may do all.
systemd-analyze security --offline=yes --threshold=25 "$checked" >"$work/security" 2>&1 || {
  grep -F ✗ "$work/security" >&2 || cat "$work/security" >&2
  echo "FAILED: the unit is exposed above 2.5" >&2
  exit 1
}
tail -n 1 "$work/security"
