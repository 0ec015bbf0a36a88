import { withClient } from '#dev';

/** Creators that are imported; a larger catalog consists of copies of them. */
export const importedCreators = 1_000_000;

/** Writers at once: PostgreSQL stores rows on one core each. */
const writers = 3;

const columnsSql = `
  SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
  WHERE table_name = 'creators' AND table_schema = current_schema() AND column_name NOT IN ('slug', 'account_keys')`;

/**
 * Adds copies of the imported creators under further slugs, which is much faster than an import. The keys of their accounts differ, as
 * an account belongs to one creator. Keywords find as large a part of the copies as of the imported ones.
 */
export async function growCatalog(url: string, creators: number): Promise<void> {
  const columns = await withClient(url, async (client) => {
    await client.query('CREATE UNLOGGED TABLE imported (LIKE creators)');
    await client.query('INSERT INTO imported SELECT * FROM creators');
    const { rows } = await client.query<{ names: string }>(columnsSql);
    return rows[0]?.names ?? '';
  });
  const copies = Array.from({ length: creators / importedCreators - 1 }, (_, copy) => copy + 1).values();
  const write = async (): Promise<void> => {
    for (const copy of copies) {
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
