#!/bin/bash
# Runs the JavaScript client of npm, unchanged, against a lamina-server of its
# own. The client is installed into the build directory, once per version of
# package-lock.json.
#
#   run.sh <lamina-server> <work directory>
set -euo pipefail

server=$1
work=$2
source=$(cd "$(dirname "$0")" && pwd)

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

for tool in node npm; do
  command -v $tool >/dev/null ||
    fail "no $tool; tests/scripts/install-packages.sh installs it"
done

mkdir -p "$work"
cp "$source"/package.json "$source"/package-lock.json "$source"/*.mjs "$work"
cd "$work"
if ! cmp -s package-lock.json installed-lock.json; then
  timeout 240 npm ci --legacy-peer-deps --ignore-scripts --no-audit --no-fund \
    >npm.log 2>&1 || { cat npm.log >&2
    fail "npm cannot install the client (is its registry reachable?), so it was not tested"; }
  cp package-lock.json installed-lock.json
fi

data=$(mktemp -d)
server_pid=
clean_up() {
  if [ -n "$server_pid" ]; then
    kill "$server_pid" 2>/dev/null || true
    wait "$server_pid" || true
  fi
  rm -rf "$data"
}
trap clean_up EXIT

"$server" --data-dir "$data/db" --port 0 >"$data/stdout" 2>"$data/stderr" &
server_pid=$!
for _ in $(seq 100); do
  url=$(sed -n 's/^listening on //p' "$data/stdout")
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "$url" ] || { cat "$data/stderr" >&2; fail "the server does not listen"; }

LAMINA_URL=$url node --test --test-reporter=spec ./*.test.mjs ||
  fail "see above for the cases"
kill -0 "$server_pid" || fail "the server did not live through the tests"
