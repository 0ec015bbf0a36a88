import { type Query } from '@app/platform/database';
import { type PlatformAccount } from '../../creators/creator.js';
import { keysOfAccounts } from '../../lookup/keys-of-account.js';

interface Row {
  readonly slug: string;
  readonly revision: string;
  readonly platforms: PlatformAccount[];
}

const rowsAtOnce = 1_000;

/** Hand-written: page by page through `creators_pk`. */
const withoutSql = `
  SELECT slug, revision, platforms FROM creators
  WHERE account_keys IS NULL AND slug > $1 ORDER BY slug LIMIT $2`;

/** Hand-written: set-based. Who was changed meanwhile is left to that change, or to the next run of the job. */
const fillSql = `
  UPDATE creators SET account_keys = derived.account_keys
  FROM jsonb_to_recordset($1::jsonb) AS derived (slug text, revision bigint, account_keys text[])
  WHERE creators.slug = derived.slug AND creators.revision = derived.revision AND creators.account_keys IS NULL`;

/**
 * Derives the keys of the accounts of creators that were stored before there were keys. Locks a thousand of them at a
 * time. Returns the name of what it did, if anything.
 */
export async function fillAccountKeys(query: Query): Promise<string[]> {
  let done = 0;
  for (let last = ''; ;) {
    const rows = await query<Row>('select creators without keys', withoutSql, [last, rowsAtOnce]);
    const next = rows.at(-1);
    if (!next) break;
    const derived = rows.map(({ slug, revision, platforms }) => ({
      slug,
      revision,
      account_keys: keysOfAccounts(platforms),
    }));
    await query('fill account keys', fillSql, [JSON.stringify(derived)]);
    done += rows.length;
    last = next.slug;
  }
  return done === 0 ? [] : [`account keys of ${done} creators`];
}
