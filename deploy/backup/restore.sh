#!/usr/bin/env bash
# Restores what backup.sh wrote into two empty databases: restore.sh DIRECTORY
# Needs pg_restore and psql, CATALOG_DATABASE_URL and BILLING_DATABASE_URL. No service may run on them yet.
set -euo pipefail
directory=${1:?usage: restore.sh DIRECTORY}
for database in catalog billing; do
  variable="${database^^}_DATABASE_URL"
  pg_restore --exit-on-error --single-transaction --no-owner --no-privileges --dbname="${!variable:?is not set}" "$directory/$database.dump"
done
# Another history begins here: indexes that catalogs keep on disk belong to the old one and are built anew.
psql --set=ON_ERROR_STOP=1 --quiet --dbname="$CATALOG_DATABASE_URL" --command='UPDATE catalog_state SET catalog_id = gen_random_uuid()'
echo 'Restored. Run the migration jobs, start the services, then: npm run cli -- audit'
