#!/usr/bin/env bash
# Runs once, when the PostgreSQL container makes its data directory: one database and one role per service.
set -euo pipefail

create() {
  psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --set=name="$1" --set=password="$2" <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE CONNECT ON DATABASE :"name" FROM PUBLIC;
SQL
}

create catalog "$CATALOG_DATABASE_PASSWORD"
create billing "$BILLING_DATABASE_PASSWORD"
