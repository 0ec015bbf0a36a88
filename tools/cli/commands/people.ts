import { type ErasureReply, type ErasureView, isRecord, type PersonReport } from '#contracts';
import { CliError } from '../errors.js';
import { formatCount, formatInteger } from '../output/format.js';
import { type Column, pairs, table } from '../output/table.js';
import { type Session } from '../session.js';
import { command, group, option } from './command.js';

const erasureColumns: Column<ErasureView>[] = [
  ['SHA-256 of the address', 'email_hash'],
  'erased_at',
  ['closed accounts', 'close_accounts'],
];

export const peopleCommands = group('people', 'personal data: what is held about a person, and its erasure', [
  command('report <email>', 'show everything that is held about a person; with --json to pass it on', {
    call: 'POST /people/report',
    show: ({ email, person, ...lists }: PersonReport) => {
      const counts = Object.entries(lists).map(([kind, items]) => countOf(kind, items.length));
      return pairs([['email', email], ['person', person?.id ?? '-'], ...counts]);
    },
  }),
  command('erase <email>', 'erase a person permanently; what the ledger needs stays without their address', {
    call: 'POST /people/erase',
    options: [option('--close-accounts', 'also close the accounts whose last owner they are')],
    show: showErasure,
  }),
  command('erasures', 'list the erasures; with --json to keep the list outside of the database', {
    options: [
      option(
        '--repeat <file>',
        'after restoring a backup: repeat those of a kept list (- reads standard input)',
      ),
    ],
    run: (session, { repeat }: { repeat?: string }) =>
      repeat === undefined ? list(session) : repeatAll(session, repeat),
  }),
]);

export const signInCommands = group('sign-in', 'how people sign in to accounts', [
  command(
    'unlink <email>',
    'remove the OpenID identity bound to a person and sign them out; their next one is bound instead',
    {
      call: 'POST /people/unlink',
      show: ({ forgotten }: { forgotten: number }, { email }) =>
        `${email}: ${formatInteger(forgotten)} removed, signed out everywhere.`,
    },
  ),
]);

async function list(session: Session): Promise<void> {
  const erasures: ErasureView[] = [];
  for await (const erasure of session.client.all<ErasureView>('/people/erasures', 'erasures')) {
    erasures.push(erasure);
  }
  session.print({ erasures }, () => table(erasureColumns, erasures));
}

async function repeatAll(session: Session, file: string): Promise<void> {
  const erasures = erasuresIn(await session.readFile(file));
  let people = 0;
  for (const erasure of erasures) {
    const { erased } = await session.client.post<ErasureReply>('/people/erasures/repeat', erasure);
    if (Object.values(erased).some((count) => count > 0)) people += 1;
  }
  session.print(
    { repeated: erasures.length, erased_again: people },
    ({ repeated, erased_again }) =>
      `${formatCount(repeated, 'erasure')} repeated, ${formatInteger(erased_again)} of them had something to erase.`,
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

function showErasure({ erased, payment_urls }: ErasureReply): string {
  const counts = Object.entries(erased).map(([kind, count]) => countOf(kind, count));
  const atStripe = payment_urls.length === 0 ? '' : `\n\nTo be erased at Stripe:\n${payment_urls.join('\n')}`;
  return `Erased:\n${pairs(counts)}${atStripe}`;
}

function countOf(kind: string, count: number): [string, string] {
  return [kind.replaceAll('_', ' '), formatInteger(count)];
}
