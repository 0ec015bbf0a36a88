#!/usr/bin/env bash
# Restores what backup.sh wrote into two empty databases: restore.sh DIRECTORY
# Needs pg_restore and psql, and CATALOG_DATABASE_URL and BILLING_DATABASE_URL with the roles that are to own the tables. No
# service may run on them yet.
set -euo pipefail

fail() {
  echo "restore.sh: $1" >&2
  exit 1
}

query() {
  psql --no-psqlrc --quiet --no-align --tuples-only --set=ON_ERROR_STOP=1 --dbname="$1" --command="$2" </dev/null
}

directory=${1:-}
[ -n "$directory" ] || fail 'name the directory of a backup: restore.sh DIRECTORY'
for variable in CATALOG_DATABASE_URL BILLING_DATABASE_URL; do
  [ -n "${!variable:-}" ] || fail "$variable is not set: the URL of the database, with the role that is to own its tables"
done
for database in catalog billing; do
  variable="${database^^}_DATABASE_URL"
  [ -r "$directory/$database.dump" ] || fail "$directory/$database.dump is not there, or can't be read"
  tables=$(query "${!variable}" "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace") \
    || fail "$variable leads to no database that can be used: see above"
  [ "$tables" = 0 ] || fail "the database $database is not empty: drop it and make it anew first"
done

# The extension is the superuser's, who may comment on it; the comments of a dump are of extensions alone.
for database in catalog billing; do
  variable="${database^^}_DATABASE_URL"
  pg_restore --exit-on-error --single-transaction --no-owner --no-privileges --no-comments \
    --dbname="${!variable}" "$directory/$database.dump" </dev/null
done
# Another history begins here: indexes that catalogs keep on disk belong to the old one and are built anew.
query "$CATALOG_DATABASE_URL" 'UPDATE catalog_state SET catalog_id = gen_random_uuid()'
echo 'Restored. Run the migration jobs, which also grant the services their rights, start the services, then: npm run cli -- audit'
