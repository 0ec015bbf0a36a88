import { type AccountToRemove, type Platform, platforms, type Removal } from '#contracts';
import { type Command, InvalidArgumentError } from 'commander';
import { path } from '../admin-client.js';
import { formatCount, formatTime } from '../output/format.js';
import { type Column, fields, nextPage, table } from '../output/table.js';
import { type CommandSpec, option, type PageOptions, pageOptions, required } from './command.js';

interface RemoveOptions {
  readonly reference: string;
  readonly note?: string;
  readonly handle?: AccountToRemove[];
}

interface RemovalList {
  readonly removals: Removal[];
  readonly next_cursor: string | null;
}

const columns: Column<Removal>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'REMOVED (UTC)', value: ({ removed_at }) => formatTime(removed_at) },
  { title: 'CREATORS', align: 'right', value: ({ deleted }) => String(deleted.creators) },
  { title: 'REFERENCE', value: ({ reference }) => reference },
];

export const removalCommands: readonly CommandSpec[] = [
  {
    usage: 'remove [slug]',
    help: 'delete a creator at their request, and keep them out of later imports',
    options: [
      required('--reference <text>', 'the request, without the name of the person: it is kept'),
      option('--note <text>', 'a note for other operators'),
      option(
        '--handle <account>',
        'an account in place of a slug, for example youtube:@name; can be repeated',
        parseHandle,
      ),
    ],
    run:
      (session) =>
      async (slug: string | undefined, { handle: accounts, ...reason }: RemoveOptions, command: Command) => {
        if ((slug === undefined) === (accounts === undefined)) {
          command.error('error: give a slug, or accounts with --handle', { exitCode: 2 });
        }
        if (slug === undefined) await session.send('POST', '/removals', { ...reason, accounts }, showRemoval);
        else await session.send('POST', path`/creators/${slug}/remove`, reason, showRemoval);
      },
  },
  {
    usage: 'removal <removal>',
    help: 'show the proof of a removal',
    run: (session) => (removal: string) => session.get(path`/removals/${removal}`, showRemoval),
  },
  {
    usage: 'removals',
    help: 'list removals, newest first, a page at a time',
    options: pageOptions('removals'),
    run:
      (session) =>
      ({ limit, cursor }: PageOptions) =>
        session.get<RemovalList>(
          '/removals',
          ({ removals, next_cursor }) => table(columns, removals) + nextPage(next_cursor),
          { limit, cursor },
        ),
  },
  {
    usage: 'readmit <removal>',
    help: 'end a removal that was a mistake: an import may bring the creator back',
    run: (session) => (removal: string) =>
      session.send(
        'DELETE',
        path`/removals/${removal}`,
        undefined,
        ({ id }: Removal) => `Removal ${id} is ended. Import the creator again to show them.`,
      ),
  },
];

/** `youtube:@name`; each use of the option adds one. */
function parseHandle(text: string, known: AccountToRemove[] = []): AccountToRemove[] {
  const [, platform, handle] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  if (handle === undefined || !isPlatform(platform)) {
    throw new InvalidArgumentError(`Expected a platform and a handle, for example ${platforms[0]}:@name.`);
  }
  return [...known, { platform, handle }];
}

function isPlatform(text: string | undefined): text is Platform {
  return platforms.some((platform) => platform === text);
}

function showRemoval({ deleted, kept_out, ...removal }: Removal): string {
  const { creators, accounts } = deleted;
  const nothing = 'nothing: nobody with these accounts was in the catalog';
  return fields([
    ['removal', removal.id],
    ['removed (UTC)', formatTime(removal.removed_at)],
    ['reference', removal.reference],
    ['note', removal.note ?? '-'],
    [
      'deleted',
      creators === 0
        ? nothing
        : `${formatCount(creators, 'creator')} with ${formatCount(accounts, 'account')}: ${deleted.fields.join(', ')}`,
    ],
    ['kept out by', kept_out.map(({ by }) => by).join(', ')],
    ['digest', removal.digest],
  ]);
}
