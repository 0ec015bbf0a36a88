import { type Loss } from '../../support/lossy-proxy.js';
import { miraSolenne } from '../../../tools/dev/launcher/sample.js';
import { admin, succeeded } from '../../support/admin-api.js';
import { type BlockTrial } from './page-trials.js';

/** Fitness creators in Brazil: more than two pages of the largest size. */
export const brazilianCount = 250;

/** Fitness creators in France, Mira Solenne among them. */
export const frenchCount = 3;

const [anything, nothing] = [/^/, /^$/];
const again = (): Promise<unknown> => Promise.resolve();
const first = (loss: Loss) => ({ lossOf: (request: number) => (request === 0 ? loss : null) });

/** Replaces the creator of the examples by one with this tagline. */
async function changeMira(tagline: string): Promise<void> {
  succeeded(await admin.call('PUT', `/creators/${miraSolenne.slug}`, { ...miraSolenne, tagline }));
}

/** The file has every creator of the export once. */
function expectWholeExport(text: string): void {
  const slugs = text.match(/"slug":\s*"[^"]*-brazilian-\d+"/g) ?? [];
  expect([slugs.length, new Set(slugs).size]).toEqual([brazilianCount, brazilianCount]);
}

const contains =
  (pattern: RegExp) =>
  (text: string): void =>
    expect(text).toMatch(pattern);

/** What is found for `mirasolenne`, `MiraSolenne` and an unknown account. */
const threeLinks =
  /^https:\/\/www\.youtube\.com\/@mirasolenne: mira.*\ninstagram\.com\/MiraSolenne\/: mira.*\nhttps:\/\/twitter\.com\/nobody_at_all: not one of our creators\n$/i;

/** What each page promises about its blocks: language, words, credits, what is printed. */
export const documentedTrials: Readonly<Record<string, readonly BlockTrial[]>> = {
  'libs/client/README.md': [
    ['ts', 'new CreatorSearch', 0, nothing],
    [
      'ts',
      'client.search({ country',
      3,
      /^3 creators match\n[^]*Mira Solenne mira-solenne 599000\n[^]*cost 3 credits, 997 are left/,
    ],
    ['ts', 'for await (const creator', 3, /Mira Solenne/],
    ['ts', '.pages()', 2, /^3 of 3 for 2 credits/],
    ['ts', 'ifNoneMatch', 1, /^Yoga by the sea cost 0 credits/],
    ['ts', 'creatorsAll', 1, /^mira-solenne unchanged\n$/],
    ['ts', 'instanceof NotFoundError', 0, /^no longer available/],
    ['ts', 'idempotencyKey', 0, /^[0-9a-f-]{36}\n/],
  ],
  'docs/guides/quickstart.md': [
    ['sh', 'category=fitness', 3, /"total":\s*250,\s*"returned":\s*3,\s*"credits_used":\s*3[^]*"Brazil"/],
    ['sh', '/balance', 0, /"credits_remaining":\s*1000/],
    [
      'ts',
      'client.search',
      4,
      /^250 creators match; the call cost 3 credits, 997 are left\.\nCreator brazilian-\d+ \[ 'fitness' \] \[[^]*'youtube'/,
    ],
    [
      'python',
      'def get(path, **parameters)',
      3,
      /^250 creators match; 997 credits are left\.\n(Creator brazilian-\d+ 1000\n){3}$/,
    ],
  ],
  'docs/guides/export-a-search.md': [
    [
      'ts',
      'searchAll',
      12,
      /^250 creators: 9 credits, 997 are left\.\n$/,
      { file: ['creators.ndjson', expectWholeExport] },
    ],
    [
      'ts',
      'pages.json',
      9,
      /^250 creators for 9 credits\n250 creators for 0 credits\n$/,
      { file: ['pages.json', expectWholeExport], then: [again] },
    ],
    ['sh', 'pages.ndjson', 9, anything, { file: ['pages.ndjson', expectWholeExport] }],
    [
      'python',
      'creators.ndjson',
      9,
      /^(100 of 250 creators for 3 credits\n){2}50 of 250 creators for 3 credits\n$/,
      { file: ['creators.ndjson', expectWholeExport] },
    ],
  ],
  'docs/guides/keep-profiles-fresh.md': [
    [
      'sh',
      '--etag-compare',
      2,
      /^200\s+304\s+200\s+$/,
      {
        file: ['mira-solenne.json', contains(/Yoga in the hills/)],
        then: [again, () => changeMira('Yoga in the hills')],
      },
    ],
    ['ts', 'creatorsAll', 6, /^The first round cost 5 credits\.\nThe second round cost 0 credits\.\n$/],
    ['python', 'If-None-Match', 6, /^Round 1 cost 5 credits\.\nRound 2 cost 0 credits\.\n$/],
  ],
  'docs/guides/find-creators-by-link.md': [
    [
      'sh',
      '/lookup" \\\n  --header "Authorization: Bearer $API_KEY" \\\n  --data-urlencode',
      0,
      /^\{"slug":"mira-solenne"\}$/,
    ],
    ['sh', '{"accounts"', 0, /^\{"results":\[\{"slug":"mira-solenne"\},\{"slug":null\}\]\}$/],
    ['ts', 'lookupAll', 2, /^https:\/\/www\.youtube\.com\/@mirasolenne: .*599000 followers \(1 credit\)/],
    ['python', 'def look_up', 0, threeLinks],
  ],
  'docs/guides/errors-and-retries.md': [
    [
      'sh',
      '--retry-all-errors',
      2,
      anything,
      { file: ['found.json', contains(/"total":250,.*"credits_used":0/)], ...first('unseen') },
    ],
    ['ts', 'InvalidRequestError', 0, /^Not valid: \{[^]*min_followers/],
    ['python', 'Idempotency-Key', 2, /^250 creators for 0 credits\n$/, first('half')],
    ['python', 'json.load(error)["error"]', 0, /^402 This call costs 2 credits and 1 is left/, { funds: 1 }],
  ],
  'docs/guides/webhooks.md': [
    ['ts', 'function readNotice', 0, nothing],
    ['ts', 'body.replace', 0, /^balance_low 40\nError: not signed with this secret\n$/],
  ],
  'docs/api.md': [
    ['sh', '/creators/batch', 1, /"status":"found"[^]*"name":"Mira Solenne"[^]*"status":"not_found"/],
  ],
};
