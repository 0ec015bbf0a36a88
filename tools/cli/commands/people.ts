import { type ErasureReply, type PersonReport } from '#contracts';
import { formatInteger } from '../output/format.js';
import { pairs } from '../output/table.js';
import { command, group, option } from './command.js';

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

function showErasure({ erased, payment_urls }: ErasureReply): string {
  const counts = Object.entries(erased).map(([kind, count]) => countOf(kind, count));
  const atStripe = payment_urls.length === 0 ? '' : `\n\nTo be erased at Stripe:\n${payment_urls.join('\n')}`;
  return `Erased:\n${pairs(counts)}${atStripe}`;
}

function countOf(kind: string, count: number): [string, string] {
  return [kind.replaceAll('_', ' '), formatInteger(count)];
}
