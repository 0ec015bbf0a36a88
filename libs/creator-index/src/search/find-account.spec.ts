import { expectEqual, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { randomDocument } from '../documents/random-documents.fixture.js';
import { type SearchDocument, sortDocuments } from '../documents/search-document.js';
import { type RecordAccount, writeRecord } from '../documents/search-entry.js';
import { hashText } from '../segments/slug-table.js';
import { type BitmapIndex } from './bitmap-index.js';
import { IndexHistory } from './index-history.fixture.js';

/** Pairs of different keys that have the same hash, found by trying. */
function collidingKeys(pairs: number): [string, string][] {
  const keys = new Map<number, string>();
  const found: [string, string][] = [];
  for (let number = 0; found.length < pairs; number++) {
    const key = `x/@${number.toString(36)}`;
    const known = keys.get(hashText(key));
    if (known === undefined) keys.set(hashText(key), key);
    else found.push([known, key]);
  }
  return found;
}

const collisions = collidingKeys(6);
/** A few that no document has, and all that look alike in a segment. */
const keys = ['x/@a', 'x/@b', 'x/@c', 'x/@"q\\', ...collisions.flat()];

const keyOf = ({ platform, handle }: RecordAccount): string => `${platform}/@${handle}`;

/** A document with accounts of these keys. */
function withAccounts(slug: string, seed: number, accountKeys: readonly string[]): SearchDocument {
  const accounts = accountKeys.map((key) => ({
    platform: 'x' as const,
    handle: key.slice(3),
    url: 'https://u.example',
    followers: 1,
  }));
  const record = writeRecord({ slug, name: slug, country: 'Any', reach: accounts.length, accounts });
  return { ...randomDocument(slug, seed), record, accountKeys };
}

function find(index: BitmapIndex, key: string): string | null {
  return index.findByAccount(key, (account) => keyOf(account) === key);
}

const change = fc.record({
  slug: fc.constantFrom(...'abcdefghijkl'),
  seed: fc.nat(30),
  keys: fc.option(fc.uniqueArray(fc.constantFrom(...keys), { maxLength: 3 }), { freq: 4 }),
});
type Step = 'freeze' | 'finish' | 'fail' | null;
const step = fc.constantFrom<Step>('freeze', 'finish', 'finish', 'fail', null);

it('an account is found at the first creator in the order of a search, never at one whose key has only the same hash', async () => {
  let collided = 0;
  const histories = fc.array(fc.tuple(fc.array(change, { maxLength: 5 }), step), {
    minLength: 1,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const history = new IndexHistory();
      const { builder, index, published } = history;
      for (const [changes, next] of steps) {
        for (const { slug, seed, keys: accountKeys } of changes) {
          history.apply([{ slug, document: accountKeys && withAccounts(slug, seed, accountKeys) }]);
        }
        if (next === 'freeze') index.freeze();
        else if (next !== null) await builder.end(next);
        for (const key of keys) {
          const owners = [...published.values()].filter(({ accountKeys }) => accountKeys.includes(key));
          const [first] = sortDocuments(owners, null);
          expectEqual({ key, slug: find(index, key) }, { key, slug: first?.slug ?? null });
        }
        collided += collisions.filter(
          ([one, other]) => (find(index, one) === null) !== (find(index, other) === null),
        ).length;
      }
    }),
    { numRuns: propertyRuns(30) },
  );
  expect(collided).toBeGreaterThan(20);
}, 60_000);
