-- Once, after the migration job: on the coordinator, as the owner of the tables, while no catalog runs. The creators are divided by
-- slug, their accounts by key; the other tables stay on the coordinator. What is stored already is moved, too.
--   psql -v ON_ERROR_STOP=1 -v shards=32 -f distribute-catalog.sql CATALOG_DATABASE_URL
\if :{?shards}
\else
  \set shards 32
\endif
SELECT create_distributed_table('creators', 'slug', shard_count => :shards);
SELECT truncate_local_data_after_distributing_table('creators');
SELECT create_distributed_table('creator_accounts', 'key', shard_count => :shards, colocate_with => 'none');
SELECT truncate_local_data_after_distributing_table('creator_accounts');
ANALYZE creators, creator_accounts;
