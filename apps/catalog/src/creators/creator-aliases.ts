import { type Queryable } from '#platform/database';

/** Hand-written: set-based, for a whole chunk; through `creator_aliases_pk`. */
const findSql = 'SELECT slug, creator_slug FROM creator_aliases WHERE slug = ANY($1)';

/** Hand-written: set-based; through `creator_aliases_of_creator`. */
const ofSql = 'SELECT slug, creator_slug FROM creator_aliases WHERE creator_slug = ANY($1)';

/** Hand-written: set-based. */
const addSql =
  'INSERT INTO creator_aliases (slug, creator_slug) SELECT slug, $2 FROM unnest($1::text[]) AS old (slug)';

/** Hand-written: set-based; through both indexes. */
const deleteSql = 'DELETE FROM creator_aliases WHERE slug = ANY($1) OR creator_slug = ANY($1)';

/** Old slugs, each with that of the creator it leads to. */
type Aliases = Map<string, string>;

async function read({ query }: Queryable, sql: string, slugs: readonly string[]): Promise<Aliases> {
  if (slugs.length === 0) return new Map();
  const rows = await query<{ slug: string; creator_slug: string }>('read aliases', sql, [slugs]);
  return new Map(rows.map(({ slug, creator_slug }) => [slug, creator_slug]));
}

/** Finds the old slugs among these: their creators were joined into others. */
export function findAliases(queryable: Queryable, slugs: readonly string[]): Promise<Aliases> {
  return read(queryable, findSql, slugs);
}

/** The old slugs that lead to these creators. */
export function aliasesOf(queryable: Queryable, creators: readonly string[]): Promise<Aliases> {
  return read(queryable, ofSql, creators);
}

/** Returns lines of an import, each with the slug that its creator has today. */
export async function withCurrentSlugs<Line extends { readonly slug: string | null }>(
  queryable: Queryable,
  lines: readonly Line[],
): Promise<readonly Line[]> {
  const aliases = await findAliases(
    queryable,
    lines.flatMap(({ slug }) => slug ?? []),
  );
  if (aliases.size === 0) return lines;
  return lines.map((line) => ({ ...line, slug: aliases.get(line.slug ?? '') ?? line.slug }));
}

/** Adds old slugs of a creator; no other creator may have them. */
export async function addAliases(
  { query }: Queryable,
  slugs: readonly string[],
  creator: string,
): Promise<void> {
  await query('add aliases', addSql, [slugs, creator]);
}

/** Deletes these old slugs, and those that lead to these creators. */
export async function deleteAliases({ query }: Queryable, slugs: readonly string[]): Promise<void> {
  await query('delete aliases', deleteSql, [slugs]);
}
