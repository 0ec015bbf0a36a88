-- Once, after the migration job: on the coordinator, as the owner of the tables, while no catalog runs. The creators are divided by
-- slug; the other tables stay on the coordinator. What is stored already is moved, too.
--   psql -v ON_ERROR_STOP=1 -v shards=32 -f distribute-catalog.sql CATALOG_DATABASE_URL
\if :{?shards}
\else
  \set shards 32
\endif
SELECT create_distributed_table('creators', 'slug', shard_count => :shards);
SELECT truncate_local_data_after_distributing_table('creators');
ANALYZE creators;
