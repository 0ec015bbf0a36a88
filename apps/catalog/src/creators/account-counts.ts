import { type FollowersOfDay, historyMax } from '#contracts';
import { type Queryable } from '#platform/database';
import { rowsOfText } from '../database/text-rows.js';
import { type AccountKey } from '../lookup/account-key.js';

/** Counts as `countLines` writes them. */
const givenCounts = rowsOfText(`rtrim($1, E'\\n')`, { account: 'text', day: 'date', followers: 'bigint' });

/** Hand-written: set-based; each account by one look-up in `account_counts_pk`. Adds the counts that differ from those before them. */
const countSql = `
  INSERT INTO account_counts (account, day, followers) SELECT account, day, followers FROM ${givenCounts}
  WHERE followers IS DISTINCT FROM (
    SELECT before.followers FROM account_counts AS before
    WHERE before.account = given.account AND before.day <= given.day ORDER BY before.day DESC LIMIT 1
  )
  ON CONFLICT (account, day) DO UPDATE SET followers = excluded.followers`;

/** Hand-written: set-based; through `account_counts_pk`. */
const takeCountsBackSql = `
  DELETE FROM account_counts AS counted USING ${givenCounts}
  WHERE counted.account = given.account AND counted.day = given.day AND counted.followers = given.followers`;

/** Hand-written: set-based; through `account_counts_pk`. */
const forgetCountsSql = 'DELETE FROM account_counts WHERE account IN (SELECT unnest($1::text[]))';

/** Hand-written: through `account_counts_pk`. */
const historySql = `
  SELECT split_part(account, '/', 1) AS platform, day::text, followers::float8 FROM account_counts
  WHERE account = ANY($1) ORDER BY day DESC, platform LIMIT ${historyMax}`;

/** Adds counts, given as lines of `countLines`, of days on which they are others than before. */
export async function addCounts({ query }: Queryable, lines: readonly string[]): Promise<void> {
  const counts = lines.join('');
  if (counts !== '') await query('add counts', countSql, [counts]);
}

/** Deletes the last counts of creators, given as lines of `countLines`, which were a mistake. */
export async function takeCountsBack({ query }: Queryable, lines: readonly string[]): Promise<void> {
  await query('take counts back', takeCountsBackSql, [lines.join('')]);
}

/** Deletes all counts of accounts with these keys. */
export async function forgetCounts({ query }: Queryable, keys: readonly AccountKey[]): Promise<void> {
  await query('forget counts', forgetCountsSql, [keys]);
}

/** Returns the counts of accounts with these keys, newest first. */
export function findCounts({ query }: Queryable, keys: readonly AccountKey[]): Promise<FollowersOfDay[]> {
  return query('find counts', historySql, [keys]);
}
