-- The session settings that the services choose when they connect directly; behind PgBouncer their roles need them.
ALTER ROLE catalog IN DATABASE catalog SET statement_timeout = '4500';
ALTER ROLE catalog IN DATABASE catalog SET lock_timeout = '4500';
ALTER ROLE catalog IN DATABASE catalog SET idle_in_transaction_session_timeout = '5000';
ALTER ROLE catalog IN DATABASE catalog SET timezone = 'UTC';
ALTER ROLE catalog IN DATABASE catalog SET jit = 'off';
ALTER ROLE billing IN DATABASE billing SET lock_timeout = '1000';
ALTER ROLE billing IN DATABASE billing SET idle_in_transaction_session_timeout = '2000';
ALTER ROLE billing IN DATABASE billing SET statement_timeout = '4000';
ALTER ROLE billing IN DATABASE billing SET timezone = 'UTC';
ALTER ROLE billing IN DATABASE billing SET jit = 'off';
