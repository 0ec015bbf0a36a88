#!/usr/bin/env bash
# One database for each service, and two roles: catalog_owner and billing_owner own what is in it and migrate it, catalog and
# billing are the roles of the running services. No other role can connect. PostgreSQL's container runs this when it creates its
# data directory. Run it again, as a superuser, for databases that exist: it changes what differs, and keeps their data.
set -euo pipefail

# In the container the first is set; elsewhere psql reads the server from its environment too: PGHOST and so on.
export PGUSER=${POSTGRES_USER:-${PGUSER:-postgres}}
secrets=${SECRETS_DIRECTORY:-/run/secrets}

sql() {
  psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --dbname "$1" "${@:2}"
}

# make_role ROLE SECRET
make_role() {
  export SECRET_FILE=$secrets/$2
  [ -s "$SECRET_FILE" ] || { echo "$SECRET_FILE, the password of the role $1, is missing: run make-secrets.sh first" >&2; exit 1; }
  # Read by psql itself: every user of the machine can see command lines.
  sql postgres --set=role="$1" <<'SQL'
SELECT format('CREATE ROLE %I', :'role') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'role') \gexec
\set password `cat "$SECRET_FILE"`
ALTER ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
SQL
}

# PRIVILEGES are what the service may do in DATABASE besides reading and writing tables: make_database DATABASE PRIVILEGES
make_database() {
  sql postgres --set=service="$1" --set=owner="$1_owner" <<'SQL'
SELECT format('CREATE DATABASE %I OWNER %I', :'service', :'owner')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'service') \gexec
SQL
  # What the service created when it ran as the owner is transferred to the owner. A service that is running goes on: it may read and
  # write everything until the migration job grants it its rights. The lock time-out is short, because others wait behind it.
  sql "$1" --set=service="$1" --set=owner="$1_owner" --set=privileges="$2" <<'SQL'
BEGIN;
SET LOCAL lock_timeout = '500ms';
SELECT EXISTS (SELECT FROM pg_class WHERE relowner = :'service'::regrole AND relnamespace = 'public'::regnamespace) AS owns \gset
REASSIGN OWNED BY :"service" TO :"owner";
\if :owns
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO :"service";
SELECT format('GRANT ALL ON %s TO %I', oid::regclass, :'service') FROM pg_class
  WHERE relowner = :'owner'::regrole AND relkind = 'r' AND relpersistence = 't' \gexec
\endif
REVOKE ALL ON DATABASE :"service" FROM PUBLIC, :"service";
GRANT :privileges ON DATABASE :"service" TO :"service";
ALTER SCHEMA public OWNER TO pg_database_owner;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO :"service";
COMMIT;
SQL
}

for service in catalog billing; do
  make_role "$service" "${service}_database_password"
  make_role "${service}_owner" "${service}_owner_password"
done
make_database billing CONNECT
# An import first stores its rows in a temporary table.
make_database catalog 'CONNECT, TEMPORARY'
# For the catalog's SQL engine. The owner could create it too, as a trusted extension, but then the migration could fail by it.
sql catalog --command 'CREATE EXTENSION IF NOT EXISTS pg_trgm'
sql postgres --command 'REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC'
