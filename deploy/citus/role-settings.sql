-- On every node, besides deploy/pgbouncer/role-settings.sql: session settings do not reach the other nodes, those of a role do.
ALTER ROLE catalog IN DATABASE catalog SET search_path = catalog, public;
ALTER ROLE catalog IN DATABASE catalog SET citus.enable_unsafe_triggers = on;
ALTER ROLE billing IN DATABASE billing SET search_path = billing, public;
ALTER ROLE billing IN DATABASE billing SET citus.enable_unsafe_triggers = on;
