import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ErasureReply, type ErasureView, isRecord, type PersonReport } from '#contracts';
import { CliError } from '../errors.js';
import { formatCount, formatInteger, formatTime } from '../output/format.js';
import { type Column, fields, table } from '../output/table.js';
import { type Session } from '../session.js';
import { type CommandGroup, option } from './command.js';

interface ErasurePage {
  readonly erasures: readonly ErasureView[];
  readonly next_cursor: string | null;
}

const erasureColumns: Column<ErasureView>[] = [
  { title: 'SHA-256 OF THE ADDRESS', value: ({ email_hash }) => email_hash },
  { title: 'ERASED (UTC)', value: ({ erased_at }) => formatTime(erased_at) },
  { title: 'CLOSED ACCOUNTS', value: ({ close_accounts }) => (close_accounts ? 'yes' : 'no') },
];

export const peopleCommands: CommandGroup = {
  group: 'people',
  help: 'personal data: what is held about a person, and its erasure',
  commands: [
    {
      usage: 'report <email>',
      help: 'show everything that is held about a person; with --json to pass it on',
      run: (session) => (email: string) =>
        session.send<PersonReport>('POST', '/people/report', { email }, showReport),
    },
    {
      usage: 'erase <email>',
      help: 'erase a person permanently; what the ledger needs stays without their address',
      options: [option('--close-accounts', 'also close the accounts whose last owner they are')],
      run:
        (session) =>
        (email: string, { closeAccounts }: { closeAccounts?: true }) =>
          session.send<ErasureReply>(
            'POST',
            '/people/erase',
            { email, close_accounts: closeAccounts },
            showErasure,
          ),
    },
    {
      usage: 'erasures',
      help: 'list the erasures; with --json to keep the list outside of the database',
      options: [
        option(
          '--repeat <file>',
          'after restoring a backup: repeat those of a kept list (- reads standard input)',
        ),
      ],
      run:
        (session) =>
        ({ repeat }: { repeat?: string }) =>
          repeat === undefined ? list(session) : repeatAll(session, repeat),
    },
  ],
};

async function list(session: Session): Promise<void> {
  const erasures: ErasureView[] = [];
  let cursor: string | undefined;
  do {
    const page: ErasurePage = await session.client.get<ErasurePage>('/people/erasures', { cursor });
    erasures.push(...page.erasures);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  session.print({ erasures }, () => table(erasureColumns, erasures));
}

async function repeatAll(session: Session, file: string): Promise<void> {
  const content =
    file === '-' ? await text(session.io.stdin) : await readFile(resolve(session.io.directory, file), 'utf8');
  const erasures = erasuresIn(content);
  let people = 0;
  for (const erasure of erasures) {
    const { erased } = await session.client.post<ErasureReply>('/people/erasures/repeat', erasure);
    if (Object.values(erased).some((count) => count > 0)) people += 1;
  }
  const repeated = { repeated: erasures.length, erased_again: people };
  session.print(
    repeated,
    () =>
      `${formatCount(erasures.length, 'erasure')} repeated, ${formatInteger(people)} of them had something to erase.`,
  );
}

/** The list that `people erasures --json` prints; the service checks each of its items. */
function erasuresIn(content: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(content);
    if (isRecord(parsed) && Array.isArray(parsed.erasures)) return parsed.erasures as unknown[];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CliError('The file is not a list of erasures, as printed by: people erasures --json');
}

function showErasure({ erased, remains }: ErasureReply): string {
  const counts = Object.entries(erased).map(
    ([kind, count]) => [kind.replaceAll('_', ' '), formatInteger(count)] as const,
  );
  const kept = remains.map(({ what, count, why, urls = [] }) => {
    const shown = count === null ? what : `${what} (${formatInteger(count)})`;
    return [`${shown}: ${why}`, ...urls].join('\n  ');
  });
  return `Erased:\n${fields(counts)}\n\nKept:\n${kept.join('\n')}`;
}

function showReport({ email, person, ...lists }: PersonReport): string {
  const counts = Object.entries(lists).map(
    ([kind, items]) => [kind.replaceAll('_', ' '), formatInteger(items.length)] as const,
  );
  return fields([['email', email], ['person', person?.id ?? '-'], ...counts]);
}
