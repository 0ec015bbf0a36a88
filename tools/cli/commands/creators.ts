import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Command } from 'commander';
import { type CreatorView } from '@app/contracts';
import { path } from '../admin-client.js';
import { CliError } from '../errors.js';
import { type CliIo } from '../io.js';
import { formatInteger, formatTime } from '../output/format.js';
import { fields, table, type Column } from '../output/table.js';
import { type Session } from '../session.js';
import { addImport } from './import-creators.js';

const platformColumns: Column<CreatorView['platforms'][number]>[] = [
  { title: 'PLATFORM', value: (account) => account.platform },
  { title: 'HANDLE', value: (account) => account.handle },
  { title: 'FOLLOWERS', align: 'right', value: (account) => formatInteger(account.followers) },
  { title: 'UPDATED (UTC)', value: (account) => formatTime(account.updated_at) },
  { title: 'URL', value: (account) => account.url },
];

/** `creators import | get | put | publish | unpublish | delete`. */
export function addCreators(program: Command, session: Session): void {
  const creators = program.command('creators').description('manage the creators in the catalog');
  addImport(creators, session);

  creators
    .command('get')
    .description('one creator, published or not')
    .argument('<slug>', 'slug, as in the profile URL')
    .action(async (slug: string) => {
      const call = { method: 'GET', path: path('creators', slug) } as const;
      session.print(await session.client.call<CreatorView>(call), showCreator);
    });

  creators
    .command('put')
    .description(
      'replace one creator with a record (JSON like a line of an import, or as printed by `get --json`)',
    )
    .argument('<slug>', 'slug, as in the profile URL')
    .argument('<file>', 'file with the record; - reads standard input')
    .action(async (slug: string, file: string) => {
      const body = withoutDerived(parseRecord(file, await readAll(session.io, file)));
      const call = { method: 'PUT', path: path('creators', slug), body } as const;
      session.print(await session.client.call<CreatorView>(call), showCreator);
    });

  addPublish(creators, session, 'publish', 'publish a creator in searches and profiles', true);
  addPublish(creators, session, 'unpublish', 'hide a creator from searches and profiles', false);

  creators
    .command('delete')
    .description('delete a creator for good')
    .argument('<slug>', 'slug, as in the profile URL')
    .action(async (slug: string) => {
      const call = { method: 'DELETE', path: path('creators', slug) } as const;
      session.print(await session.client.call<{ deleted: true }>(call), () => `${slug} is deleted.`);
    });
}

function addPublish(
  creators: Command,
  session: Session,
  name: string,
  help: string,
  published: boolean,
): void {
  creators
    .command(name)
    .description(help)
    .argument('<slug>', 'slug, as in the profile URL')
    .action(async (slug: string) => {
      const call = { method: 'PATCH', path: path('creators', slug), body: { published } } as const;
      const creator = await session.client.call<CreatorView>(call);
      session.print(
        creator,
        (shown) => `${shown.slug} is ${shown.published ? 'published: searches find it' : 'hidden'}.`,
      );
    });
}

async function readAll(io: CliIo, file: string): Promise<string> {
  if (file === '-') return text(io.stdin);
  try {
    return await readFile(resolve(io.directory, file), 'utf8');
  } catch (error) {
    throw new CliError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseRecord(file: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Fields computed by the service are not part of a record: `get --json` prints them, `put` drops them. */
function withoutDerived(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  const derived = ['url', 'total_reach'];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !derived.includes(name)));
}

function showCreator(creator: CreatorView): string {
  const facts = fields([
    ['slug', creator.slug],
    ['name', creator.name],
    ['url', creator.url],
    ['tagline', creator.tagline || '-'],
    ['country', creator.country],
    ['languages', creator.languages.join(', ') || '-'],
    ['categories', creator.categories.join(', ') || '-'],
    ['verified', creator.verified ? 'yes' : 'no'],
    ['website', creator.website ?? '-'],
    ['published', creator.published ? 'yes' : 'no'],
    ['total reach', formatInteger(creator.total_reach)],
  ]);
  return `${facts}\n\n${table(platformColumns, creator.platforms)}`;
}
