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
  [ -r "$directory/$database.dump" ] || fail "$directory/$database.dump does not exist or can't be read"
  tables=$(query "${!variable}" "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace") \
    || fail "$variable is not the URL of a usable database: see above"
  [ "$tables" = 0 ] || fail "the database $database is not empty: drop it and create it again first"
done

# The only comments in a dump are those of extensions, which belong to the superuser.
for database in catalog billing; do
  variable="${database^^}_DATABASE_URL"
  pg_restore --exit-on-error --single-transaction --no-owner --no-privileges --no-comments \
    --dbname="${!variable}" "$directory/$database.dump" </dev/null
done
# A new identity: catalogs rebuild the indexes that they keep on disk, which belong to the old database.
query "$CATALOG_DATABASE_URL" 'UPDATE catalog_state SET catalog_id = gen_random_uuid()'
echo 'Restored. Run the migration jobs, which also grant the services their rights, start the services, then: npm run cli -- audit'
