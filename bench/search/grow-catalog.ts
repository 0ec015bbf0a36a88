import { withClient } from '@app/local-stack';

/** Imported once; a larger catalog consists of copies of them. */
export const importedCreators = 1_000_000;

/** Writers at once: PostgreSQL stores rows on one core each. */
const writers = 3;

/**
 * Adds copies of the imported creators under further slugs, until there are so many: much faster than an import. Each copy
 * is a whole number of times the imported ones, so the mix of a segment stays the same.
 */
export async function growCatalog(url: string, to: number): Promise<void> {
  const { columns, from } = await withClient(url, async (client) => {
    await client.query('CREATE UNLOGGED TABLE IF NOT EXISTS imported AS TABLE creators');
    const counted = await client.query<{ creators: string }>('SELECT count(*) AS creators FROM creators');
    const { rows } = await client.query<{ names: string }>(
      `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
       WHERE table_name = 'creators' AND table_schema = current_schema() AND column_name <> 'slug'`,
    );
    return { columns: rows[0]?.names ?? '', from: Number(counted.rows[0]?.creators) };
  });
  const copies = Array.from(
    { length: Math.max(0, to - from) / importedCreators },
    (_, copy) => copy + from / importedCreators,
  );
  if (from > to) throw new Error(`the database has ${from} creators already`);
  const next = copies.values();
  const write = async (): Promise<void> => {
    for (const copy of next) {
      await withClient(url, (client) =>
        client.query(
          `INSERT INTO creators (slug, ${columns}) SELECT slug || '-' || $1::text, ${columns} FROM imported`,
          [copy],
        ),
      );
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  await withClient(url, (client) => client.query('VACUUM ANALYZE creators'));
}
