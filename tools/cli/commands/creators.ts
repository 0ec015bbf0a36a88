import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CreatorView } from '#contracts';
import { path } from '../admin-client.js';
import { CliError } from '../errors.js';
import { type CliIo } from '../session.js';
import { type CommandGroup } from './command.js';
import { importCommand } from './import-creators.js';
import { importWikidataCommand } from './import-wikidata.js';
import { removalCommands } from './removals.js';
import { showCreator } from './show-creator.js';

export const creatorCommands: CommandGroup = {
  group: 'creators',
  help: 'creators in the catalog',
  commands: [
    importCommand,
    importWikidataCommand,
    {
      usage: 'get <slug>',
      help: 'show one creator, published or not',
      run: (session) => (slug: string) => session.get(path`/creators/${slug}`, showCreator),
    },
    {
      usage: 'put <slug> <file>',
      help: 'replace one creator with a record (JSON like a line of an import, or printed by `get --json`)',
      run: (session) => async (slug: string, file: string) => {
        const body = withoutDerived(parseRecord(file, await readAll(session.io, file)));
        await session.send('PUT', path`/creators/${slug}`, body, showCreator);
      },
    },
    {
      usage: 'publish <slug>',
      help: 'show a creator in searches and profiles',
      run: (session) => (slug: string) =>
        session.send('PATCH', path`/creators/${slug}`, { published: true }, showPublished),
    },
    {
      usage: 'unpublish <slug>',
      help: 'hide a creator from searches and profiles',
      run: (session) => (slug: string) =>
        session.send('PATCH', path`/creators/${slug}`, { published: false }, showPublished),
    },
    {
      usage: 'delete <slug>',
      help: 'delete a creator; an import may bring them back',
      run: (session) => (slug: string) =>
        session.send('DELETE', path`/creators/${slug}`, undefined, () => `${slug} is deleted.`),
    },
    ...removalCommands,
  ],
};

function showPublished({ slug, published }: CreatorView): string {
  return `${slug} is ${published ? 'published' : 'hidden'}.`;
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
