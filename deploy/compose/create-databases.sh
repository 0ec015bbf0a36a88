#!/usr/bin/env bash
# Runs once, when the PostgreSQL container makes its data directory: one database and one role per service, and nothing else
# that either of them may enter.
set -euo pipefail

create() {
  psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set=name="$1" --set=password="$(cat "$2")" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password' NOSUPERUSER NOCREATEDB NOCREATEROLE;
CREATE DATABASE :"name" OWNER :"name";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
}

create catalog /run/secrets/catalog_database_password
create billing /run/secrets/billing_database_password
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --command 'REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC'
# The catalog's SQL engine needs it; an extension that is trusted could be made by the owner, but this is one thing less to fail.
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname catalog --command 'CREATE EXTENSION IF NOT EXISTS pg_trgm'
