#!/usr/bin/env bash
# Dumps both databases, each as of one instant, into a directory: backup.sh DIRECTORY
# Needs pg_dump of the servers' version or later, CATALOG_DATABASE_URL and BILLING_DATABASE_URL. The services may run.
set -euo pipefail
directory=${1:?usage: backup.sh DIRECTORY}
mkdir -p "$directory"
# Billing last: a creator too few can be imported again, a credit can't.
for database in catalog billing; do
  variable="${database^^}_DATABASE_URL"
  pg_dump --format=custom --no-owner --no-privileges --file="$directory/$database.unfinished" "${!variable:?is not set}"
  mv "$directory/$database.unfinished" "$directory/$database.dump"
done
echo "Both databases are in $directory."
