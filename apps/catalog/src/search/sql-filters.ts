import { type Filters, platforms } from '#contracts';
import { FilterCounter, type FilterCounts, type IndexedState } from '#creator-index';
import { type Query } from '#platform/database';
import { toFiltersReply } from './search-engine.js';
import { readState } from '../search-index/index-source.js';

/**
 * Hand-written: the creators of each spelling of each value, in one snapshot; reads all published creators once for each
 * filter. `creators` counts a creator with two spellings of a language only at the first one, so that the sum over the spellings is
 * the number that a search finds.
 */
const spellingsSql = `
  SELECT 'country' AS kind, folded_country AS value, country AS name,
    count(*)::integer AS of_name, count(*)::integer AS creators
  FROM creators WHERE published GROUP BY folded_country, country
  UNION ALL
  SELECT 'category', own.value, own.value, count(*)::integer, count(*)::integer
  FROM creators CROSS JOIN LATERAL unnest(folded_categories) AS own (value) WHERE published GROUP BY own.value
  UNION ALL
  SELECT 'language', own.value, own.name, count(*)::integer,
    (count(*) FILTER (WHERE array_position(folded_languages, own.value) = own.at))::integer
  FROM creators CROSS JOIN LATERAL unnest(folded_languages, languages) WITH ORDINALITY AS own (value, name, at)
  WHERE published GROUP BY own.value, own.name
  UNION ALL
  SELECT 'platform', own.value, own.value, own.creators, own.creators
  FROM (
    SELECT ${platforms.map((platform) => `count(${platform}_followers)::integer AS ${platform}`).join(', ')}
    FROM creators WHERE published
  ) AS counted
    CROSS JOIN LATERAL (
      VALUES ${platforms.map((platform, at) => `('${at + 1}', ${platform})`).join(', ')}
    ) AS own (value, creators)
  WHERE own.creators > 0`;

/**
 * Hand-written: while the writer of a revision still commits on servers of a distributed catalog, its number is locked; its revision is
 * visible before its creators are.
 */
const settledSql = `
  SELECT catalog_id, (revision - EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'transactionid' AND transactionid = catalog_state.xmin
  )::integer)::float8 AS revision
  FROM catalog_state`;

/** The latest state of the catalog in which all creators are visible: what is counted after this is at least as new. */
export async function readSettledState(query: Query): Promise<IndexedState> {
  const [row] = await query<{ catalog_id: string; revision: number }>('read settled state', settledSql);
  if (!row) throw new Error('catalog_state has no row');
  return { catalogId: row.catalog_id, revision: row.revision };
}

interface Spelling {
  readonly kind: keyof FilterCounts;
  readonly value: string;
  readonly name: string;
  readonly of_name: number;
  readonly creators: number;
}

interface Counted extends IndexedState {
  readonly reply: Filters;
}

/** The filters of the SQL engine: counted once for each revision of the catalog, by one statement at a time. */
export class SqlFilters {
  private counted: Counted | null = null;
  private counting: Promise<Counted> | null = null;

  constructor(private readonly query: Query) {}

  async list(): Promise<Filters> {
    const { catalogId, revision } = await readState(this.query);
    const { counted } = this;
    if (counted?.catalogId === catalogId && counted.revision >= revision) return counted.reply;
    // The running count may have begun before that revision.
    if (this.counting) await this.counting.catch(() => undefined);
    if (this.counted?.catalogId === catalogId && this.counted.revision >= revision) return this.counted.reply;
    this.counting ??= this.count().finally(() => (this.counting = null));
    return (await this.counting).reply;
  }

  private async count(): Promise<Counted> {
    const { catalogId, revision } = await readSettledState(this.query);
    return (this.counted = { catalogId, revision, reply: toFiltersReply(await countFilters(this.query)) });
  }
}

async function countFilters(query: Query): Promise<FilterCounts> {
  const spellings = await query<Spelling>('count filters', spellingsSql);
  const counter = new FilterCounter();
  for (const { kind, value, name, of_name: ofName, creators } of spellings) {
    counter.add(kind, value, creators, name, ofName);
  }
  return counter.counted();
}
