import { type AccountDetail, type AccountView, type CreatedKey, type KeyView } from '#contracts';
import { parseExpiry, parseInteger, parseLimit } from '../arguments.js';
import { formatInteger, formatTime } from '../output/format.js';
import { type Column, fields, page, table } from '../output/table.js';
import { command, group, option, pageOptions, required } from './command.js';
import { lotColumns } from './credits.js';

const accountColumns: Column<AccountView>[] = [
  'id',
  'name',
  'email',
  ['credits', 'credits_remaining'],
  'created_at',
];
const accountFields: Column<AccountView>[] = [...accountColumns, ['suspended', suspension], 'closed_at'];

export const accountCommands = group('accounts', 'customers and their balances', [
  command('create', 'create an account', {
    call: 'POST /accounts',
    once: 'key',
    options: [
      required('--name <name>', 'name of the customer'),
      required('--email <email>', 'email address of the customer'),
    ],
    show: (account: AccountView) => fields(accountFields, account) + warningOf(account),
  }),
  command('list', 'list all accounts, a page at a time', {
    call: 'GET /accounts',
    options: [option('--email <email>', 'only those with this address'), ...pageOptions('accounts')],
    show: page('accounts', accountColumns),
  }),
  command('show <account>', 'show one account and the lots of its credits', {
    call: 'GET /accounts/:account',
    show: (account: AccountDetail) =>
      `${fields(accountFields, account)}\n\n${table(lotColumns, account.lots)}`,
  }),
  command('suspend <account>', 'refuse the keys of an account within a second, without charging any call', {
    call: 'POST /accounts/:account/suspend',
    options: [required('--reason <text>', 'why; only operators see it')],
    show: accountFields,
  }),
  command('resume <account>', 'let the keys of a suspended account work again', {
    call: 'POST /accounts/:account/resume',
    show: accountFields,
  }),
  command('update <account>', 'change the name or the address of an account; its members stay as they are', {
    call: 'PATCH /accounts/:account',
    options: [
      option('--name <name>', 'name of the customer'),
      option('--email <email>', 'address of the customer, for operators'),
    ],
    show: accountFields,
  }),
  command(
    'sign-in-link <account>',
    'create a link that signs a member in to the account pages once, within an hour',
    {
      call: 'POST /accounts/:account/sign-in-link',
      options: [option('--email <email>', 'address of the member (default: the first owner)')],
      show: (link: { url: string; email: string; valid_for_seconds: number }) =>
        `${link.url}\n\nSigns in ${link.email} once, within ${formatInteger(link.valid_for_seconds / 60)} minutes. ` +
        'Anyone with this link can use the account.',
    },
  ),
]);

function warningOf({ same_email: others }: AccountView): string {
  return others ? `\n\nWarning: this address also has the account ${others.join(', ')}.` : '';
}

function suspension({ suspended_at: at, suspension_reason: reason }: AccountView): string | undefined {
  return at === undefined ? undefined : `${formatTime(at)} UTC: ${reason ?? ''}`;
}

const expires = (help: string) => option('--expires <date>', help, parseExpiry).as('expires_at');
const monthlyLimit = (help: string) => option('--monthly-limit <n>', help, parseLimit);

const keyColumns: Column<KeyView>[] = [
  'id',
  'name',
  ['key', ({ prefix }) => `${prefix}...`],
  'active',
  'expires_at',
  ['spent this month', spentOfLimit, 'right'],
  'created_at',
  'last_used_at',
];

const aKey = 'PATCH /accounts/:account/keys/:key';
const showKey = (key: KeyView): string => table(keyColumns, [key]);

export const keyCommands = group('keys', 'API keys of an account, at most 5', [
  command('create <account>', 'create a key; it is shown only once', {
    call: 'POST /accounts/:account/keys',
    once: 'key',
    options: [
      option('--name <name>', 'what the key is for').default('default'),
      option('--mode <mode>', '"test": it finds fictional creators and costs nothing (default: live)'),
      expires('when it stops working: a day or a time, UTC'),
      monthlyLimit('credits in a calendar month, UTC'),
    ],
    show: showCreatedKey,
  }),
  command('update <account> <key>', 'change when a key expires, and what it may spend in a calendar month', {
    call: aKey,
    options: [
      expires('a day or a time, UTC, or "never"'),
      monthlyLimit('credits in a calendar month, UTC, or "none"'),
    ],
    show: showKey,
  }),
  command('list <account>', 'list the keys of an account', {
    call: 'GET /accounts/:account/keys',
    show: page('keys', keyColumns),
  }),
  command('enable <account> <key>', 'switch a key on', {
    call: aKey,
    sends: { active: true },
    show: showKey,
  }),
  command('disable <account> <key>', 'switch a key off: calls with it are refused within a second', {
    call: aKey,
    sends: { active: false },
    show: showKey,
  }),
  command(
    'rotate <account> <key>',
    'give a key a new secret, shown only once; the old one works on for a while',
    {
      call: 'POST /accounts/:account/keys/:key/rotate',
      once: 'key',
      options: [option('--overlap-hours <n>', 'how long, 0 to 168 (default: 24)', parseInteger)],
      show: showCreatedKey,
    },
  ),
  command('rename <account> <key> <name>', 'rename a key', { call: aKey, show: showKey }),
  command('delete <account> <key>', 'delete a key permanently: calls with it are refused within a second', {
    call: 'DELETE /accounts/:account/keys/:key',
    show: (_: unknown, { key }) => `Key ${key} is deleted.`,
  }),
]);

function spentOfLimit({ monthly_limit: limit = null, spent_this_month: spent = 0 }: KeyView): string {
  return limit === null ? '-' : `${formatInteger(spent)} of ${formatInteger(limit)}`;
}

function showCreatedKey(key: CreatedKey): string {
  const until = key.previous_valid_until;
  const oldKey = until === undefined ? until : `${formatTime(until)} UTC`;
  const facts = fields(['id', 'name', 'key', ['old key until', () => oldKey]], key);
  return `${facts}\n\nSave the key now: it can't be shown again.`;
}
