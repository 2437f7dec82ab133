#!/bin/sh
# Writes .env for docker-compose.yml: a password, a token and keys, each of 32 random bytes. Only you can read it.
# Usage: make-env.sh [FILE]; a file that is there already is left alone.
set -eu
umask 077
file=${1:-"$(dirname "$0")/../.env"}
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }

if [ -e "$file" ]; then
  echo "$file is there already. Keep it: what it has encrypted needs its keys again." >&2
  exit 1
fi
cat >"$file.part" <<END
POSTGRES_PASSWORD=$(random)
SUREFOOT_API_TOKEN=$(random)
SUREFOOT_SECRET_KEY=$(random)
SUREFOOT_PAYLOAD_KEYS=first=$(random)
END
mv "$file.part" "$file"
echo "$file is written. Callers of the API send its SUREFOOT_API_TOKEN as a bearer token." >&2
