#!/usr/bin/env bash
# Dumps both databases, each as of one instant, into a directory that does not exist yet: backup.sh DIRECTORY
# Needs pg_dump and psql, and CATALOG_DATABASE_URL and BILLING_DATABASE_URL with the roles that own the tables. The services
# may run. A backup is there whole or not at all.
set -euo pipefail

fail() {
  echo "backup.sh: $1" >&2
  exit 1
}

# An older pg_dump refuses a newer server, and a dump may use what an older server does not know.
check_version() {
  local own server
  own=$(pg_dump --version | sed -E 's/[^0-9]*([0-9]+).*/\1/')
  server=$(psql --no-psqlrc --no-align --tuples-only --dbname="${!1}" --command='SHOW server_version_num' </dev/null) \
    || fail "$1 leads to no database that can be used: see above"
  server=$((server / 10000))
  [ "$own" -ge "$server" ] || fail "this pg_dump is of version $own, the server of version $server: take the pg_dump of \
version $server (Debian and Ubuntu: postgresql-client-$server), or run this where the server runs, as in its container"
}

directory=${1:-}
[ -n "$directory" ] || fail 'name a directory: backup.sh DIRECTORY'
for variable in CATALOG_DATABASE_URL BILLING_DATABASE_URL; do
  [ -n "${!variable:-}" ] || fail "$variable is not set: the URL of the database, with the role that owns its tables"
done
[ ! -e "$directory" ] || fail "$directory exists: name another one, a backup is not written over what is there"
check_version CATALOG_DATABASE_URL
check_version BILLING_DATABASE_URL

mkdir -p "$(dirname "$directory")"
unfinished=$(mktemp -d "${directory%/}.XXXXXX")
trap 'rm -rf "$unfinished"' EXIT
dump() {
  pg_dump --format=custom --no-owner --no-privileges --file="$unfinished/$1.dump" "$2" </dev/null
}
# Billing last: a creator too few can be imported again, a credit can't.
dump catalog "$CATALOG_DATABASE_URL"
dump billing "$BILLING_DATABASE_URL"
mv "$unfinished" "$directory"
echo "Both databases are in $directory."
