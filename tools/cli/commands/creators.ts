import { text } from 'node:stream/consumers';
import {
  type AccountToRemove,
  type CreatorView,
  isRecord,
  type Platform,
  platforms,
  type Removal,
  type UndoReply,
} from '#contracts';
import { InvalidArgumentError } from 'commander';
import { path } from '../admin-client.js';
import { CliError, messageOf } from '../errors.js';
import { type Column } from '../output/show.js';
import { type Session } from '../session.js';
import { command, group, option, pageOptions, required } from './command.js';
import { exportCommand, listCommand, unpublishCommand, withoutDerived } from './creator-lists.js';
import { importCommand, open } from './import-creators.js';
import { importWikidataCommand } from './import-wikidata.js';

const removalColumns: Column<Removal>[] = [
  'id',
  'removed_at',
  ['creators', ({ deleted }) => deleted.creators],
  'reference',
];

export const importCommands = group('imports', 'what was imported, and undoing it', [
  command('list', 'list imports, newest first', {
    call: 'GET /imports',
    options: pageOptions,
  }),
  command(
    'undo <import>',
    'delete the creators that an import created, and restore the ones it changed, unless they have changed since; for 30 days',
    { run: undoImport },
  ),
]);

/** Undoes an import, request after request. */
async function undoImport(session: Session, given: { import: string }): Promise<void> {
  const total = { restored: 0, deleted: 0, skipped: 0 };
  for (let isDone = false; !isDone;) {
    const at = path`/imports/${given.import}/undo`;
    const { restored, deleted, skipped, done } = await session.client.post<UndoReply>(at);
    total.restored += restored;
    total.deleted += deleted;
    total.skipped += skipped;
    isDone = done;
  }
  session.print(total);
}

const creator = '/creators/:slug';
const aRemoval = '/removals/:removal';

export const creatorCommands = group('creators', 'creators in the catalog', [
  importCommand,
  importWikidataCommand,
  listCommand,
  exportCommand,
  command('show <slug>', 'show one creator, published or not', {
    call: `GET ${creator}`,
    options: [option('--history', 'also the days on which follower counts changed, newest first')],
  }),
  command(
    'put <slug> <file>',
    'replace one creator with a record (JSON like a line of an import, or printed by `get --json`)',
    {
      run: async (session, { slug, file }: { slug: string; file: string }) => {
        const { bytes } = await open(session.io, file);
        const record = parseRecord(file, await text(bytes));
        // `get --json` prints more than a record.
        const body = isRecord(record) ? withoutDerived(record) : record;
        const call = { method: 'PUT', path: path`/creators/${slug}`, body } as const;
        session.print((await session.client.call<CreatorView>(call)).body);
      },
    },
  ),
  command('publish <slug>', 'show a creator in searches and profiles', {
    call: `PATCH ${creator}`,
    sends: { published: true },
  }),
  unpublishCommand,
  command('delete <slug>', 'delete a creator; an import may bring them back', {
    call: `DELETE ${creator}`,
  }),
  command('duplicates', 'list creators who are probably one; look at both before you join them', {
    call: 'GET /duplicates',
    options: pageOptions,
  }),
  command('join <from> <into>', 'make one creator of two records of a person; the slug that goes leads on', {
    call: 'POST /creators/:from/join',
  }),
  command('remove [slug]', 'delete a creator at their request, and keep them out of later imports', {
    options: [
      required('--reference <text>', 'the request, without the name of the person: it is kept'),
      option('--note <text>', 'a note for other operators'),
      option(
        '--handle <account>',
        'an account in place of a slug, for example youtube:@name; can be repeated',
        parseHandle,
      ).as('accounts'),
    ],
    run: async (session, { slug, ...body }: { slug?: string; accounts?: AccountToRemove[] }, self) => {
      if ((slug === undefined) === (body.accounts === undefined)) {
        self.error('error: give a slug, or accounts with --handle', { exitCode: 2 });
      }
      const at = slug === undefined ? '/removals' : path`/creators/${slug}/remove`;
      session.print(await session.client.post<Removal>(at, body));
    },
  }),
  command('removal <removal>', 'show the proof of a removal', {
    call: `GET ${aRemoval}`,
  }),
  command('removals', 'list removals, newest first, a page at a time', {
    call: 'GET /removals',
    options: pageOptions,
    columns: removalColumns,
  }),
  command('readmit <removal>', 'end a removal that was a mistake: an import may bring the creator back', {
    call: `DELETE ${aRemoval}`,
  }),
]);

function parseRecord(file: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${messageOf(error)}`);
  }
}

/** `youtube:@name`; each use of the option adds one. */
function parseHandle(text: string, known: AccountToRemove[] = []): AccountToRemove[] {
  const [, platform, handle] = /^([a-z]+):(.+)$/.exec(text) ?? [];
  if (handle === undefined || !platforms.includes(platform as Platform)) {
    throw new InvalidArgumentError(`Expected a platform and a handle, for example ${platforms[0]}:@name.`);
  }
  return [...known, { platform: platform as Platform, handle }];
}
