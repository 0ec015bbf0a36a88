#!/usr/bin/env bash
# Restores what backup.sh wrote into two empty databases: restore.sh DIRECTORY
# Needs pg_restore and psql, and CATALOG_DATABASE_URL and BILLING_DATABASE_URL with the roles that are to own the tables. No
# service may run on them yet. Dumps that are encrypted need gpg, with the private key in its keyring.
set -euo pipefail

fail() {
  echo "restore.sh: $1" >&2
  exit 1
}

query() {
  psql --no-psqlrc --quiet --no-align --tuples-only --set=ON_ERROR_STOP=1 --dbname="$1" --command="$2" </dev/null
}

# pg_restore of the dump of a database, with these options. What gpg decrypts is read to its end, or gpg would fail.
restore_dump() {
  local file="$directory/$1.dump"
  if [ -r "$file" ]; then
    pg_restore "${@:2}" "$file" </dev/null
  else
    gpg --batch --quiet --decrypt "$file.gpg" | { pg_restore "${@:2}"; status=$?; cat > /dev/null; exit $status; }
  fi
}

# A dump can't be restored by an older pg_restore, nor into an older server.
check_versions() {
  local variable="${1^^}_DATABASE_URL" contents dumped server
  contents=$(restore_dump "$1" --list) \
    || fail "the dump of $1 can't be read: see above. It needs the pg_restore of the version that dumped it, or a later one; this is \
$(pg_restore --version)"
  dumped=$(sed -nE 's/^; +Dumped from database version: ([0-9]+).*/\1/p' <<< "$contents")
  server=$(($(query "${!variable}" 'SHOW server_version_num') / 10000))
  [ "$dumped" -le "$server" ] \
    || fail "the dump of $1 is of PostgreSQL $dumped, this server is $server: restore into version $dumped or a later one"
}

# Migrations of a release are in it, next to this script; read from standard input, the script does not know its release.
check_release() {
  local root known applied unknown
  root=$(dirname "${BASH_SOURCE[0]:-}")/../..
  known=$(grep --recursive --no-filename --only-matching --extended-regexp 'class \w+[0-9]{13}' \
    "$root/dist/apps/$1/src/database/migrations" "$root/apps/$1/src/database/migrations" 2>/dev/null | cut -d ' ' -f 2 | sort -u) || true
  [ -n "$known" ] || return 0
  applied=$(restore_dump "$1" --data-only --table=migrations --file=- | awk -F '\t' 'NF == 3 { print $3 }' | sort -u)
  unknown=$(comm -13 <(echo "$known") <(echo "$applied") | xargs)
  [ -z "$unknown" ] || fail "the dump of $1 is of a newer release, with the migrations $unknown: install that release, or a later one, \
and use its restore.sh"
}

directory=${1:-}
[ -n "$directory" ] || fail 'name the directory of a backup: restore.sh DIRECTORY'
for variable in CATALOG_DATABASE_URL BILLING_DATABASE_URL; do
  [ -n "${!variable:-}" ] || fail "$variable is not set: the URL of the database, with the role that is to own its tables"
done
for database in catalog billing; do
  variable="${database^^}_DATABASE_URL"
  [ -r "$directory/$database.dump" ] || [ -r "$directory/$database.dump.gpg" ] \
    || fail "$directory/$database.dump does not exist or can't be read, nor does $database.dump.gpg"
  tables=$(query "${!variable}" "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace") \
    || fail "$variable is not the URL of a usable database: see above"
  [ "$tables" = 0 ] || fail "the database $database is not empty: drop it and create it again first"
done

for database in catalog billing; do
  check_versions "$database"
  check_release "$database"
done

# The only comments in a dump are those of extensions, which belong to the superuser.
for database in catalog billing; do
  variable="${database^^}_DATABASE_URL"
  restore_dump "$database" --exit-on-error --single-transaction --no-owner --no-privileges --no-comments --dbname="${!variable}"
done
# A new identity: running catalogs rebuild their indexes, which belong to the old database.
query "$CATALOG_DATABASE_URL" 'UPDATE catalog_state SET catalog_id = gen_random_uuid()'
echo 'Restored. Run the migration jobs, which also grant the services their rights, start the services, then: npm run cli -- audit'
