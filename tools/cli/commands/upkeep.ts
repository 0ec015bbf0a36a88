import { once } from 'node:events';
import {
  type AccountToRemove,
  type CreatorReport,
  type Freshness,
  type FreshnessDimension,
  freshnessDimensions,
  type FreshnessReport,
  type HeldCreator,
  platforms,
} from '#contracts';
import { type Command } from 'commander';
import { path } from '../admin-client.js';
import { parseCount } from '../arguments.js';
import { formatInteger, formatTime } from '../output/format.js';
import { type Column, fields, table } from '../output/table.js';
import { type CommandSpec, option } from './command.js';
import { parseHandle, showRemoval } from './removals.js';
import { showCreator } from './show-creator.js';

interface RefreshOptions {
  readonly platform?: string;
  readonly country?: string;
  readonly limit?: string;
  readonly minAgeDays?: string;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)}%`;

const freshnessColumns: Column<Freshness>[] = [
  { title: 'OF', value: ({ value }) => value },
  { title: 'CREATORS', align: 'right', value: ({ creators }) => formatInteger(creators) },
  { title: 'MEDIAN DAYS', align: 'right', value: ({ median_days }) => formatInteger(median_days) },
  { title: 'P90', align: 'right', value: ({ p90_days }) => formatInteger(p90_days) },
  { title: 'OLDEST', align: 'right', value: ({ oldest_days }) => formatInteger(oldest_days) },
  { title: '>30 DAYS', align: 'right', value: ({ older_than_30 }) => percent(older_than_30) },
  { title: '>90', align: 'right', value: ({ older_than_90 }) => percent(older_than_90) },
  { title: '>365', align: 'right', value: ({ older_than_365 }) => percent(older_than_365) },
];

const refreshHelp = `
The records are those of \`creators import\`: update followers and updated_at, and import the file. Creators whose profiles were
read come first, by reads of the last weeks times the age of their data; then the others, the oldest data first.

Examples:
  $ npm run --silent cli -- creators refresh-list --limit 1000 > refresh.ndjson
  $ npm run --silent cli -- creators refresh-list --platform youtube --min-age-days 30 > refresh.ndjson
`;

/** What is held about creators, and keeping it up to date. */
export const upkeepCommands: readonly CommandSpec[] = [
  {
    usage: 'report [slug]',
    help: 'show everything held about a creator',
    options: [option('--handle <account>', 'an account in place of a slug: youtube:@name', parseHandle)],
    run:
      (session) =>
      async (slug: string | undefined, { handle }: { handle?: AccountToRemove[] }, command: Command) => {
        const [account, another] = handle ?? [];
        if ((slug === undefined) === (account === undefined) || another) {
          command.error('error: give a slug, or one account with --handle', { exitCode: 2 });
        }
        if (slug !== undefined) await session.get(path`/creators/${slug}/report`, showReport);
        else await session.get('/catalog/report', showReport, { ...account });
      },
  },
  {
    usage: 'freshness',
    help: 'show how old the data of creators is',
    options: [option('--by <what>', 'platform (default) or country').choices(freshnessDimensions)],
    run:
      (session) =>
      ({ by }: { by?: FreshnessDimension }) =>
        session.get('/catalog/freshness', showFreshness, { by }),
  },
  {
    usage: 'refresh-list',
    help: 'print the creators to be refreshed first, as NDJSON for `creators import`',
    options: [
      option('--platform <platform>', 'only accounts there, by the age of their data').choices(platforms),
      option('--country <country>', 'only creators of this country'),
      option('--limit <n>', 'at most so many (default: 10,000)', parseCount),
      option('--min-age-days <days>', 'only data of at least this age', parseCount),
    ],
    more: refreshHelp,
    run:
      (session) =>
      async ({ platform, country, limit, minAgeDays: min_age_days }: RefreshOptions) => {
        const query = { platform, country, limit, min_age_days };
        for await (const text of session.client.download('/catalog/refresh-list', query)) {
          if (!session.io.stdout.write(text)) await once(session.io.stdout, 'drain');
        }
      },
  },
];

function showReport({ creators, removals }: CreatorReport): string {
  if (creators.length + removals.length === 0) return 'Nothing is held.';
  return [...creators.map(showHeld), ...removals.map(showRemoval)].join('\n\n');
}

function showHeld({ creator, ...held }: HeldCreator): string {
  const facts = fields([
    ['first stored (UTC)', formatTime(held.first_stored_at)],
    ['last changed (UTC)', formatTime(held.last_changed_at)],
    ['source', held.source ?? '-'],
    ['recent reads', held.recent_reads.toFixed(1)],
    ['last read (UTC)', formatTime(held.last_read_at)],
  ]);
  return `${showCreator(creator)}\n\n${facts}`;
}

function showFreshness({ computed_at, rows }: FreshnessReport): string {
  if (computed_at === null) {
    return 'Not computed yet: it is a minute after the first import, then every hour.';
  }
  return `${table(freshnessColumns, rows)}\n\nComputed at ${formatTime(computed_at)} (UTC).`;
}
