import { performance } from 'node:perf_hooks';
import { type Platform } from '@app/contracts';
import { type DataSource } from 'typeorm';
import { readLookup } from '../../apps/catalog/src/lookup/lookup-keys.js';
import { type SearchEngine } from '../../apps/catalog/src/search/search-engine.js';
import { percentile } from '../percentile.js';

const rounds = 20;
const batchSize = 100;

/** An account as the service stores it. */
export interface StoredAccount {
  readonly slug: string;
  readonly platform: Platform;
  readonly handle: string;
  readonly url: string;
}

export interface LookUpResult {
  readonly engine: string;
  readonly creators: number;
  readonly what: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Drawn as the samples of searches are. */
export async function drawAccounts(dataSource: DataSource, seed: number): Promise<StoredAccount[]> {
  return dataSource.query<StoredAccount[]>(
    `SELECT slug, account ->> 'platform' AS platform, account ->> 'handle' AS handle, account ->> 'url' AS url
     FROM (
       SELECT slug, platforms -> 0 AS account FROM creators
       WHERE published AND jsonb_array_length(platforms) > 0 ORDER BY md5(slug || $1) LIMIT 300
     ) AS drawn`,
    [String(seed)],
  );
}

/**
 * Look-ups from what a caller pasted to the slug: one at a time by link and by handle, of accounts that nobody has, and
 * a hundred in one request. Throws when a stored account is not found.
 */
export async function measureLookUps(
  name: string,
  engine: SearchEngine,
  accounts: readonly StoredAccount[],
  creators: number,
): Promise<LookUpResult[]> {
  const byLink = accounts.map(({ url }) => ({ url: url.replace('://', '://m.').replace('m.www.', 'm.') }));
  const byHandle = accounts.map(({ platform, handle }) => ({ platform, handle }));
  const unknown = accounts.map(({ platform, handle }) => ({ platform, handle: `${handle}.zq9` }));
  const batches = [byLink.slice(0, batchSize), byHandle.slice(0, batchSize)];
  for (const given of [byLink, byHandle]) await findAll(engine, given, accounts);
  const measure = async (what: string, requests: readonly (readonly object[])[]): Promise<LookUpResult> => {
    const times = await measureRounds(engine, requests);
    return { engine: name, creators, what, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
  };
  const one = (given: object): readonly object[] => [given];
  return [
    await measure('look-up by link', byLink.map(one)),
    await measure('look-up by handle', byHandle.map(one)),
    await measure('look-up of nobody', unknown.map(one)),
    await measure(`look-up of ${batchSize}`, batches),
  ];
}

async function measureRounds(engine: SearchEngine, requests: readonly (readonly object[])[]) {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const request of requests) {
      const startedAt = performance.now();
      await lookUp(engine, request);
      if (round > 0) times.push(performance.now() - startedAt);
    }
  }
  return times;
}

function lookUp(engine: SearchEngine, request: readonly object[]): Promise<(string | null)[]> {
  const lookups = request.map(readLookup);
  return engine.lookUp(lookups.map((account) => ('keys' in account ? account.keys : [])));
}

async function findAll(engine: SearchEngine, given: readonly object[], accounts: readonly StoredAccount[]) {
  const slugs = await lookUp(engine, given);
  const lost = accounts.filter((_, number) => slugs[number] === null);
  if (lost.length > 0) throw new Error(`not found: ${JSON.stringify(lost[0])}`);
}
