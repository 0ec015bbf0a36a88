import { command, group, option } from './command.js';

export const peopleCommands = group('people', 'personal data: what is held about a person, and its erasure', [
  command('report <email>', 'show everything that is held about a person; with --json to pass it on', {
    call: 'POST /people/report',
  }),
  command('erase <email>', 'erase a person permanently; what the ledger needs stays without their address', {
    call: 'POST /people/erase',
    options: [option('--close-accounts', 'also close the accounts whose last owner they are')],
    remark: ({ payment_urls: urls }: { payment_urls: readonly string[] }) =>
      urls.length > 0 ? 'Erase the person at Stripe, too: see the payments above.' : undefined,
  }),
]);

export const signInCommands = group('sign-in', 'how people sign in to accounts', [
  command(
    'unlink <email>',
    'remove the OpenID identity bound to a person and sign them out; their next one is bound instead',
    { call: 'POST /people/unlink' },
  ),
]);
