#!/usr/bin/env bash
# Dumps both databases, each as of one instant, into a directory that does not exist yet: backup.sh DIRECTORY
# Needs pg_dump and psql, and CATALOG_DATABASE_URL and BILLING_DATABASE_URL with the roles that own the tables. The services
# may run. A backup is created complete or not at all. BACKUP_PUBLIC_KEY: a public key of OpenPGP (gpg --armor --export); with it only
# the holder of the private key can read the dumps, and nothing is written in plain text.
set -euo pipefail

fail() {
  echo "backup.sh: $1" >&2
  exit 1
}

# A pg_dump that is older than the server can't dump it.
check_version() {
  local own server
  own=$(pg_dump --version | sed -E 's/[^0-9]*([0-9]+).*/\1/')
  server=$(psql --no-psqlrc --no-align --tuples-only --dbname="${!1}" --command='SHOW server_version_num' </dev/null) \
    || fail "$1 is not the URL of a usable database: see above"
  server=$((server / 10000))
  [ "$own" -ge "$server" ] || fail "this pg_dump has version $own, the server version $server: use the pg_dump of \
version $server (Debian and Ubuntu: postgresql-client-$server), or run this where the server runs, for example in its container"
}

directory=${1:-}
[ -n "$directory" ] || fail 'name a directory: backup.sh DIRECTORY'
for variable in CATALOG_DATABASE_URL BILLING_DATABASE_URL; do
  [ -n "${!variable:-}" ] || fail "$variable is not set: the URL of the database, with the role that owns its tables"
done
[ ! -e "$directory" ] || fail "$directory exists: name another directory; a backup never overwrites one"
check_version CATALOG_DATABASE_URL
check_version BILLING_DATABASE_URL

mkdir -p "$(dirname "$directory")"
unfinished=$(mktemp -d "${directory%/}.XXXXXX")
keyring=$(mktemp -d)
trap 'rm -rf "$unfinished" "$keyring"' EXIT
encrypt() {
  gpg --batch --quiet --no-options --homedir "$keyring" --trust-model always --compress-algo none \
    --recipient-file "$keyring/public_key" --encrypt
}
dump() {
  local command=(pg_dump --format=custom --no-owner --no-privileges)
  if [ -n "${BACKUP_PUBLIC_KEY:-}" ]; then
    "${command[@]}" "$2" </dev/null | encrypt > "$unfinished/$1.dump.gpg"
  else
    "${command[@]}" --file="$unfinished/$1.dump" "$2" </dev/null
  fi
}
if [ -n "${BACKUP_PUBLIC_KEY:-}" ]; then
  printf '%s\n' "$BACKUP_PUBLIC_KEY" > "$keyring/public_key"
  encrypt </dev/null >/dev/null || fail 'BACKUP_PUBLIC_KEY is no public key that gpg can encrypt for: see above'
fi
# Billing last: a missing creator can be imported again, a missing credit can't.
dump catalog "$CATALOG_DATABASE_URL"
dump billing "$BILLING_DATABASE_URL"
mv "$unfinished" "$directory"
echo "Both databases are in $directory."
