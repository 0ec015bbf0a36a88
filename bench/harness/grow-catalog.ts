import { withClient } from '#dev';

/** So many are imported; a larger catalog consists of copies of them. */
export const importedCreators = 1_000_000;

/** Writers at once: PostgreSQL stores rows on one core each. */
const writers = 3;

const columnsSql = `
  SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
  WHERE table_name = 'creators' AND table_schema = current_schema() AND column_name NOT IN ('slug', 'account_keys')`;

const isDistributedSql = `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS yes`;

/**
 * Adds copies of the imported creators under further slugs, until there are so many: much faster than an import. The keys of their
 * accounts differ, as an account belongs to one creator. Each copy is a whole number of times the imported ones, so the mix of a
 * segment stays the same. Where Citus distributes the creators, its workers copy among themselves.
 */
export async function growCatalog(url: string, to: number, imported = importedCreators): Promise<void> {
  const { columns, from } = await withClient(url, async (client) => {
    const existing = await client.query(`SELECT FROM pg_tables WHERE tablename = 'imported'`);
    if (existing.rowCount === 0) {
      await client.query('CREATE UNLOGGED TABLE imported (LIKE creators)');
      const { rows } = await client.query<{ yes: boolean }>(isDistributedSql);
      if (rows[0]?.yes) {
        await client.query(
          `SELECT create_distributed_table('imported', 'slug', colocate_with => 'creators')`,
        );
      }
      await client.query('INSERT INTO imported SELECT * FROM creators');
    }
    const counted = await client.query<{ creators: string }>('SELECT count(*) AS creators FROM creators');
    const { rows } = await client.query<{ names: string }>(columnsSql);
    return { columns: rows[0]?.names ?? '', from: Number(counted.rows[0]?.creators) };
  });
  const copies = Array.from(
    { length: Math.max(0, to - from) / imported },
    (_, copy) => copy + from / imported,
  );
  if (from > to) throw new Error(`the database has ${from} creators already`);
  const next = copies.values();
  const write = async (): Promise<void> => {
    for (const copy of next) {
      await withClient(url, async (client) => {
        await client.query(`
          INSERT INTO creators (slug, account_keys, ${columns})
          SELECT slug || '-${copy}', ARRAY(SELECT key || '-${copy}' FROM unnest(account_keys) AS key), ${columns} FROM imported`);
        await client.query(`
          INSERT INTO creator_accounts (key, slug)
          SELECT key || '-${copy}', slug || '-${copy}' FROM imported CROSS JOIN unnest(account_keys) AS key`);
      });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  await withClient(url, (client) => client.query('VACUUM ANALYZE creators, creator_accounts'));
}
