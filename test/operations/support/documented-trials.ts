import { type BalanceBody, type SearchBody } from '#client';
import { type Loss } from '../../support/lossy-proxy.js';
import { miraSolenne } from '../../../tools/dev/launcher/sample.js';
import { admin, succeeded } from '../../support/admin-api.js';
import { type BlockTrial } from './page-trials.js';

/** Fitness creators in Brazil: more than two pages of the largest size. */
export const brazilianCount = 250;
/** Fitness creators in France, Mira Solenne among them. */
export const frenchCount = 3;

const pagesOfExport = Math.ceil(brazilianCount / 100);
/** Two filters. */
const searchPrice = 3;

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const parsed = <Body>(text: string): Body => JSON.parse(text) as Body;
const first = (loss: Loss) => (request: number) => (request === 0 ? loss : null);

/** Replaces the creator of the examples by one with this tagline. */
async function changeMira(tagline: string): Promise<void> {
  succeeded(await admin.call('PUT', `/creators/${miraSolenne.slug}`, { ...miraSolenne, tagline }));
}

/** A file has every creator of the export once, and no others. */
function expectWholeExport(slugs: readonly string[]): void {
  expect(slugs).toHaveLength(brazilianCount);
  expect(new Set(slugs).size).toBe(brazilianCount);
  expect(slugs.every((slug) => slug.includes('-brazilian-'))).toBe(true);
}

const slugOf = (line: string): string => parsed<{ slug: string }>(line).slug;

/** What is found for `mirasolenne`, `MiraSolenne` and an unknown account. */
const threeLinks = [
  /^https:\/\/www\.youtube\.com\/@mirasolenne: mira/i,
  /^instagram\.com\/MiraSolenne\/: mira/i,
  /^https:\/\/twitter\.com\/nobody_at_all: not one of our creators$/,
];

function trial(
  language: BlockTrial['language'],
  words: string,
  credits: number,
  check: BlockTrial['check'],
  conditions: BlockTrial['conditions'] = {},
): BlockTrial {
  return { language, words, credits, check, conditions };
}

/** A block of TypeScript that prints this. */
function prints(words: string, credits: number, output: RegExp): BlockTrial {
  return trial('ts', words, credits, (result) => expect(result.output).toMatch(output));
}

/** What each page promises about its blocks. */
export const documentedTrials: Readonly<Record<string, readonly BlockTrial[]>> = {
  'libs/client/README.md': [
    prints('new CreatorSearch', 0, /^$/),
    prints(
      'client.search({ country',
      3,
      /^3 creators match\n[\s\S]*Mira Solenne mira-solenne 599000\n[\s\S]*cost 3 credits, 997 are left/,
    ),
    prints('for await (const creator', 3, /Mira Solenne/),
    prints('.pages()', 2, /^3 of 3 for 2 credits/),
    prints('ifNoneMatch', 1, /^Yoga by the sea cost 0 credits/),
    prints('creatorsAll', 1, /^mira-solenne unchanged\n$/),
    prints('instanceof NotFoundError', 0, /^no longer available/),
    prints('idempotencyKey', 0, /^[0-9a-f-]{36}\n/),
  ],

  'docs/guides/quickstart.md': [
    trial('sh', 'category=fitness', searchPrice, ({ output }) => {
      const found = parsed<SearchBody>(output);
      expect(found).toMatchObject({ total: brazilianCount, returned: 3, credits_used: 3 });
      expect(found.creators.map(({ country }) => country)).toEqual(['Brazil', 'Brazil', 'Brazil']);
    }),
    trial('sh', '/balance', 0, ({ output }) =>
      expect(parsed<BalanceBody>(output)).toMatchObject({ credits_remaining: 1_000 }),
    ),
    trial('ts', 'client.search', searchPrice + 1, ({ output }) => {
      const [totals, profile = ''] = linesOf(output);
      expect(totals).toBe(`${brazilianCount} creators match; the call cost 3 credits, 997 are left.`);
      expect(profile).toMatch(/^Creator brazilian-\d+ \[ 'fitness' \] \[/);
      expect(output).toContain("platform: 'youtube'");
    }),
    trial('python', 'def get(path, **parameters)', searchPrice, ({ output }) => {
      const [totals, ...creators] = linesOf(output);
      expect(totals).toBe(`${brazilianCount} creators match; 997 credits are left.`);
      expect(creators).toHaveLength(3);
      for (const line of creators) expect(line).toMatch(/^Creator brazilian-\d+ 1000$/);
    }),
  ],

  'docs/guides/export-a-search.md': [
    trial('ts', 'searchAll', searchPrice + pagesOfExport * searchPrice, ({ output, file }) => {
      expect(output).toBe(`${brazilianCount} creators: 9 credits, 997 are left.\n`);
      expectWholeExport(linesOf(file('creators.ndjson')).map(slugOf));
    }),
    trial(
      'ts',
      'pages.json',
      pagesOfExport * searchPrice,
      ({ output, file }) => {
        expect(linesOf(output)).toEqual(
          [9, 0].map((used) => `${brazilianCount} creators for ${used} credits`),
        );
        const pages = parsed<{ creators: { slug: string }[] }[]>(file('pages.json'));
        expectWholeExport(pages.flatMap(({ creators }) => creators.map(({ slug }) => slug)));
      },
      { then: [() => Promise.resolve()] },
    ),
    trial('sh', 'pages.ndjson', pagesOfExport * searchPrice, ({ file }) => {
      const pages = linesOf(file('pages.ndjson')).map((line) => parsed<SearchBody>(line));
      expect(pages.map(({ returned }) => returned)).toEqual([100, 100, 50]);
      expectWholeExport(pages.flatMap(({ creators }) => creators.map(({ slug }) => slug)));
    }),
    trial('python', 'creators.ndjson', pagesOfExport * searchPrice, ({ output, file }) => {
      expect(linesOf(output)).toEqual(
        [100, 100, 50].map((returned) => `${returned} of ${brazilianCount} creators for 3 credits`),
      );
      expectWholeExport(linesOf(file('creators.ndjson')).map(slugOf));
    }),
  ],

  'docs/guides/keep-profiles-fresh.md': [
    trial(
      'sh',
      '--etag-compare',
      2,
      ({ output, file }) => {
        expect(linesOf(output)).toEqual(['200', '304', '200']);
        expect(parsed(file('mira-solenne.json'))).toMatchObject({ tagline: 'Yoga in the hills' });
      },
      { then: [() => Promise.resolve(), () => changeMira('Yoga in the hills')] },
    ),
    trial('ts', 'creatorsAll', 1 + 5, ({ output }) =>
      expect(linesOf(output)).toEqual([
        'The first round cost 5 credits.',
        'The second round cost 0 credits.',
      ]),
    ),
    trial('python', 'If-None-Match', 1 + 5, ({ output }) =>
      expect(linesOf(output)).toEqual(['Round 1 cost 5 credits.', 'Round 2 cost 0 credits.']),
    ),
  ],

  'docs/guides/find-creators-by-link.md': [
    trial(
      'sh',
      '/lookup" \\\n  --header "Authorization: Bearer $API_KEY" \\\n  --data-urlencode',
      0,
      ({ output }) => expect(parsed(output)).toEqual({ slug: 'mira-solenne' }),
    ),
    trial('sh', '{"accounts"', 0, ({ output }) =>
      expect(parsed(output)).toEqual({ results: [{ slug: 'mira-solenne' }, { slug: null }] }),
    ),
    trial('ts', 'lookupAll', 2, ({ output }) => {
      const lines = linesOf(output);
      expect(lines).toHaveLength(threeLinks.length);
      threeLinks.forEach((expected, index) => expect(lines[index]).toMatch(expected));
      expect(lines[0]).toContain('Mira Solenne, 599000 followers (1 credit)');
    }),
    trial('python', 'def look_up', 0, ({ output }) => {
      const lines = linesOf(output);
      expect(lines).toHaveLength(threeLinks.length);
      threeLinks.forEach((expected, index) => expect(lines[index]).toMatch(expected));
    }),
  ],

  'docs/guides/errors-and-retries.md': [
    trial(
      'sh',
      '--retry-all-errors',
      2,
      ({ file }) => {
        expect(parsed(file('found.json'))).toMatchObject({ total: brazilianCount, credits_used: 0 });
      },
      { lossOf: first('unseen') },
    ),
    trial('ts', 'InvalidRequestError', 0, ({ output }) => {
      expect(output).toMatch(/^Not valid: \{/);
      expect(output).toContain('min_followers');
    }),
    trial(
      'python',
      'Idempotency-Key',
      2,
      ({ output }) => expect(output).toBe(`${brazilianCount} creators for 0 credits\n`),
      { lossOf: first('half') },
    ),
    trial(
      'python',
      'json.load(error)["error"]',
      0,
      ({ output }) => expect(output).toMatch(/^402 This call costs 2 credits and 1 is left/),
      { funds: 1 },
    ),
  ],

  'docs/guides/webhooks.md': [
    trial('ts', 'function readNotice', 0, ({ output }) => expect(output).toBe('')),
    trial('ts', 'body.replace', 0, ({ output }) =>
      expect(output).toBe('balance_low 40\nError: not signed with this secret\n'),
    ),
  ],

  'docs/api.md': [
    trial(
      'sh',
      'Idempotency-Key',
      2,
      ({ file }) => {
        const found = parsed<SearchBody>(file('found.json'));
        expect(found.credits_used).toBe(0);
        expect(found.creators.map(({ slug }) => slug)).toContain('mira-solenne');
      },
      { lossOf: first('unseen') },
    ),
    trial('sh', 'If-None-Match', 1, ({ output, file }) => {
      expect(parsed(file('mira.json'))).toMatchObject({ name: 'Mira Solenne', credits_used: 1 });
      expect(output).toContain('HTTP/1.1 304 Not Modified');
      expect(output).toMatch(/^x-credits-used: 0\r?$/m);
      expect(output).not.toContain('Mira Solenne');
    }),
    trial('sh', '/creators/batch', 1, ({ output }) =>
      expect(parsed(output)).toMatchObject({
        results: [{ status: 'found', profile: { name: 'Mira Solenne' } }, { status: 'not_found' }],
      }),
    ),
    prints('client.search', 3, /^$/),
  ],
};
