#!/bin/bash
# Looks at the page at /ui in a headless Chromium, over a lamina-server of its
# own.
#
#   run.sh <lamina-server>
set -euo pipefail

server=$1
source=$(cd "$(dirname "$0")" && pwd)

if ! command -v node >/dev/null; then
  echo "FAILED: no node; tests/scripts/install-packages.sh installs it" >&2
  exit 1
fi
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  echo "SKIPPED: no Chromium here, so the page was not looked at (apt-get install chromium)"
  exit 0
fi

work=$(mktemp -d)
server_pid=
clean_up() {
  if [ -n "$server_pid" ]; then
    kill "$server_pid" 2>/dev/null || true
    wait "$server_pid" || true
  fi
  rm -rf "$work"
}
trap clean_up EXIT

key=key-of-the-page-test-0123456789
(umask 077 && echo "write $key" >"$work/keys")
"$server" --data-dir "$work/db" --port 0 --api-keys-file "$work/keys" >"$work/stdout" 2>"$work/stderr" &
server_pid=$!
for _ in $(seq 100); do
  url=$(sed -n 's/^listening on //p' "$work/stdout")
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "$url" ] || { cat "$work/stderr" >&2; echo "FAILED: the server does not listen" >&2; exit 1; }

LAMINA_URL=$url LAMINA_KEY=$key LAMINA_BROWSER=$browser \
  timeout 120 node --test --test-reporter=spec "$source/page.test.mjs"
