import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type CreatorView, type UnpublishCreatorsReply } from '#contracts';
import { path } from '../admin-client.js';
import { CliError, messageOf } from '../errors.js';
import { formatCount, formatTime } from '../output/format.js';
import { type Column } from '../output/show.js';
import { type Session } from '../session.js';
import { command, option, pageOptions } from './command.js';

const listColumns: Column<CreatorView>[] = [
  'slug',
  'name',
  'country',
  ['platforms', ({ platforms }) => platforms.map(({ platform }) => platform).join(', ')],
  'published',
  'source',
  ['updated (UTC)', ({ platforms }) => newestOf(platforms.map(({ updated_at }) => updated_at))],
];

function newestOf(times: readonly string[]): string | undefined {
  const newest = times.toSorted().at(-1);
  return newest && formatTime(newest);
}

const selectionOptions = () => [
  option('--source <text>', 'only creators last changed by an import with this source'),
  option('--country <name>', 'only creators of this country'),
  option('--platform <name>', 'only creators with an account on this platform'),
  option('--published', 'only published creators'),
  option('--no-published', 'only unpublished creators').as('published'),
];

export const listCommand = command(
  'list',
  'list creators by their slugs, published or not, a page at a time',
  {
    call: 'GET /creators',
    options: [...selectionOptions(), ...pageOptions],
    columns: listColumns,
  },
);

export const exportCommand = command('export', 'write creators as NDJSON that can be imported', {
  options: [...selectionOptions(), option('--out <file>', 'write to a file instead of standard output')],
  run: exportCreators,
});

const pageSize = 200;

/** Writes page after page: a creator that changes meanwhile is written as it was or as it is, and none twice. */
async function exportCreators(
  session: Session,
  { out, ...selection }: { readonly out?: string },
): Promise<void> {
  const { client, io } = session;
  let written = 0;
  async function* lines(): AsyncGenerator<string> {
    const query = { ...selection, limit: pageSize };
    for await (const creator of client.all<CreatorView>('/creators', 'creators', query)) {
      yield `${JSON.stringify(withoutDerived(creator))}\n`;
      written += 1;
    }
  }
  const to = out === undefined ? io.stdout : createWriteStream(resolve(io.directory, out));
  try {
    await pipeline(lines, to, { end: to !== io.stdout });
  } catch (error) {
    const until = `The export is not complete: it has only ${formatCount(written, 'creator')}.`;
    throw new CliError(`${messageOf(error)} ${until}`);
  }
  session.note(`${formatCount(written, 'creator')} exported.`);
}

/** The record without the fields that the service adds. */
export function withoutDerived(record: object): object {
  const derived = ['url', 'total_reach', 'source', 'history'];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !derived.includes(name)));
}

interface Unpublishing {
  readonly slug?: string;
  readonly source?: string;
  readonly dry_run?: true;
  readonly yes?: true;
}

export const unpublishCommand = command(
  'unpublish [slug]',
  'hide a creator, or all creators of a source, from searches and profiles',
  {
    options: [
      option(
        '--source <text>',
        'in place of a slug: all creators last changed by an import with this source',
      ),
      option('--dry-run', 'only count them'),
      option('--yes', 'hide them'),
    ],
    run: async (session, { slug, source, dry_run, yes }: Unpublishing, self) => {
      const isComplete = slug === undefined ? source !== undefined && (dry_run ?? yes) : !source && !dry_run;
      if (!isComplete) {
        const choice = 'give a slug, or --source with --dry-run to count creators or --yes to hide them';
        self.error(`error: ${choice}`, { exitCode: 2 });
      }
      if (slug !== undefined) {
        const call = { method: 'PATCH', path: path`/creators/${slug}`, body: { published: false } } as const;
        const { body } = await session.client.call<CreatorView>(call);
        return session.print(body, () => `${slug} is hidden.`);
      }
      await unpublishSource(session, { source, dry_run });
    },
  },
);

/** Hides the creators of a source, request after request. */
async function unpublishSource(session: Session, given: Unpublishing): Promise<void> {
  let unpublished = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const reply = await session.client.post<UnpublishCreatorsReply>('/creators/unpublish', {
      ...given,
      cursor,
    });
    unpublished += reply.unpublished;
    cursor = reply.next_cursor;
  }
  const what = given.dry_run ? 'would be hidden' : unpublished === 1 ? 'is hidden' : 'are hidden';
  session.print({ unpublished }, () => `${formatCount(unpublished, 'creator')} ${what}.`);
}
