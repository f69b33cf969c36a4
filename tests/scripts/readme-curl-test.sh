#!/bin/bash
# Runs the curl example of README.md as it is printed there, on a server of its
# own, and looks at what comes back.
#
#   readme-curl-test.sh <lamina-server> <README.md>
set -euo pipefail

server=$1
readme=$2
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

fail() {
  echo "FAILED: $1" >&2
  tail -n 20 "$work"/* >&2
  exit 1
}

"$server" --data-dir "$work/data" --port 0 >"$work/stdout" 2>"$work/stderr" &
server_pid=$!
for _ in $(seq 100); do
  port=$(sed -n 's|^listening on http://127.0.0.1:||p' "$work/stdout")
  [ -n "$port" ] && break
  sleep 0.1
done
[ -n "$port" ] || fail "the server does not listen"

grep '^curl ' "$readme" | sed "s/localhost:6333/127.0.0.1:$port/" >"$work/example"
[ "$(wc -l <"$work/example")" -eq 5 ] || fail "README.md does not have five curl lines"
while read -r line; do
  eval "$line --silent --show-error --max-time 10" || fail "$line"
  echo
done <"$work/example" >"$work/replies"

expect() {
  sed -n "$1p" "$work/replies" | grep -qF -- "$2" || fail "reply $1 does not hold $2"
}
expect 1 '"result":true'
expect 2 '"status":"completed"'
expect 3 '"id":42'
expect 3 '"payload":{"name":"first"}'
expect 4 '"status":"completed"'
expect 5 '"result":true'
echo "the curl example of README.md does what it says"
