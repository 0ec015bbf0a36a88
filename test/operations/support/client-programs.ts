/** What a program of a customer does with the client; it prints what it has seen as JSON. */
const body = `
async function main() {
  const options = { apiKey: process.env.API_KEY, baseUrl: process.env.BASE_URL };
  const client = new CreatorSearch(options);
  const seen = {};

  const slugs = [];
  for await (const { slug } of client.searchAll({ country: process.env.COUNTRY, limit: 2 })) slugs.push(slug);
  seen.slugs = slugs.sort();

  const profile = await client.creator(slugs[0]);
  seen.profile = [profile.slug, profile.credits.used];
  const again = await client.creator(slugs[0], { ifNoneMatch: profile.etag });
  seen.again = [again.unchanged, again.credits.used];

  const links = ['youtube.com/@' + process.env.HANDLE, { platform: 'x', handle: 'nobody-at-all' }, 'https://x.com/i/status/1'];
  seen.found = (await client.lookupAll(links)).map(({ slug, problem }) => (problem ? 'has a problem' : slug));

  const errors = [
    await client.creator('nobody-at-all').catch((error) => error),
    await new CreatorSearch({ ...options, apiKey: 'csk_unknown' }).search().catch((error) => error),
    await client.search({ limit: 0 }).catch((error) => error),
  ];
  seen.errors = errors.map((error) => [error.name, error.status, error instanceof CreatorSearchError]);

  const scripted = new CreatorSearch({ ...options, baseUrl: process.env.SCRIPTED_URL, timeoutMs: 1000, retryWaitMaxMs: 0 });
  seen.afterFailures = (await scripted.search()).credits;
  const abort = new AbortController();
  setTimeout(() => abort.abort(new Error('enough')), 10);
  const never = scripted.balance({ signal: abort.signal, timeoutMs: 60000 });
  seen.aborted = (await never.catch((error) => error)).message;
  console.log(JSON.stringify(seen));
  console.log(client, errors);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
`;

const names = '{ CreatorSearch, CreatorSearchError }';

/** One program for both ways to load the package, by file name. */
export const clientPrograms = {
  'program.mjs': `import ${names} from 'creator-search-client';\n${body}`,
  'program.cjs': `const ${names} = require('creator-search-client');\n${body}`,
};

/** TypeScript that has to compile, and lines that must not. */
export const typedProgram = `
import {
  CreatorSearch,
  CreatorSearchError,
  type Creator,
  type CreatorProfile,
  RateLimitedError,
  type SearchResult,
} from 'creator-search-client';

export const client = new CreatorSearch({ apiKey: undefined, baseUrl: 'https://api.example.com', fetch: globalThis.fetch });

export async function use(etag: string | null): Promise<CreatorProfile> {
  const page: SearchResult = await client.search({ q: 'yoga', platform: 'youtube', country: undefined });
  const creators: readonly Creator[] = page.creators;
  const used: number = page.credits.used;
  const warning: string | undefined = page.credits.warning;
  for await (const { slug } of client.searchAll()) console.log(slug, creators, used, warning);
  for await (const { nextCursor } of client.searchAll().pages()) console.log(nextCursor?.length);

  const profile: CreatorProfile = await client.creator('someone');
  const fresh = await client.creator('someone', { ifNoneMatch: etag, idempotencyKey: 'one' });
  // @ts-expect-error an unchanged profile has no name
  console.log(fresh.name);
  return fresh.unchanged ? profile : fresh;
}

export async function lookUp(links: readonly string[]): Promise<(string | null)[]> {
  const found = await client.lookupAll([...links, { platform: 'x', handle: '@mira' }]);
  const { countries, categories } = await client.filters();
  const many: number = Math.max(...countries.map(({ creators }) => creators));
  for await (const { state, credits, filters } of client.callsAll({ state: 'posted' })) {
    if (state === 'voided' && credits > many) console.log(filters?.includes('q'), categories[0]?.slug);
  }
  return found.map(({ slug, problem }) => problem ?? slug);
}

export function explain(error: unknown): string {
  if (error instanceof RateLimitedError) return String(error.retryAfterSeconds?.toFixed());
  if (!(error instanceof CreatorSearchError)) throw error;
  return error.code === 'insufficient_credits' ? error.requestId : error.message;
}

// @ts-expect-error there is no such platform
void client.search({ platform: 'myspace' });
// @ts-expect-error there is no such filter
void client.search({ contry: 'France' });
// @ts-expect-error many calls can't have one idempotency key
client.searchAll({}, { idempotencyKey: 'one' });
// @ts-expect-error a handle needs its platform
void client.lookup({ handle: '@mira' });
// @ts-expect-error a free call has none
void client.balance({ idempotencyKey: 'one' });
`;
