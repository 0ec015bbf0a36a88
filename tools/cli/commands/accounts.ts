import { type AccountView, type KeyView } from '#contracts';
import { parseExpiry, parseInteger, parseLimit } from '../arguments.js';
import { type Column } from '../output/show.js';
import { command, group, option, pageOptions, required } from './command.js';

const accountColumns: Column<AccountView>[] = ['id', 'name', 'email', 'credits_remaining', 'created_at'];

export const accountCommands = group('accounts', 'customers and their balances', [
  command('create', 'create an account', {
    call: 'POST /accounts',
    once: 'key',
    options: [
      required('--name <name>', 'name of the customer'),
      required('--email <email>', 'email address of the customer'),
    ],
    remark: ({ same_email: others }: AccountView) =>
      others && `Warning: this address also has the account ${others.join(', ')}.`,
  }),
  command('list', 'list all accounts, a page at a time', {
    call: 'GET /accounts',
    options: [option('--email <email>', 'only accounts with this address'), ...pageOptions],
    columns: accountColumns,
  }),
  command('show <account>', 'show one account and the lots of its credits', {
    call: 'GET /accounts/:account',
  }),
  command('suspend <account>', 'refuse the keys of an account within a second, without charging any call', {
    call: 'POST /accounts/:account/suspend',
    options: [required('--reason <text>', 'why; only operators see it')],
  }),
  command('resume <account>', 'let the keys of a suspended account work again', {
    call: 'POST /accounts/:account/resume',
  }),
  command('update <account>', 'change the name or the address of an account; its members stay as they are', {
    call: 'PATCH /accounts/:account',
    options: [
      option('--name <name>', 'name of the customer'),
      option('--email <email>', 'address of the customer, for operators'),
    ],
  }),
  command(
    'sign-in-link <account>',
    'create a link that signs a member in to the account pages once, within an hour',
    {
      call: 'POST /accounts/:account/sign-in-link',
      options: [option('--email <email>', 'address of the member (default: the first owner)')],
      remark: () => 'Anyone with this link can use the account.',
    },
  ),
]);

const expires = (help: string) => option('--expires <date>', help, parseExpiry).as('expires_at');
const monthlyLimit = (help: string) => option('--monthly-limit <n>', help, parseLimit);

const keyColumns: Column<KeyView>[] = [
  ...(['id', 'name', 'prefix', 'mode', 'active', 'expires_at', 'monthly_limit'] as const),
  ...(['spent_this_month', 'created_at', 'last_used_at'] as const),
];

const aKey = 'PATCH /accounts/:account/keys/:key';
const saveKey = () => "Save the key now: it can't be shown again.";

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
    remark: saveKey,
  }),
  command('update <account> <key>', 'change when a key expires, and what it may spend in a calendar month', {
    call: aKey,
    options: [
      expires('a day or a time, UTC, or "never"'),
      monthlyLimit('credits in a calendar month, UTC, or "none"'),
    ],
  }),
  command('list <account>', 'list the keys of an account', {
    call: 'GET /accounts/:account/keys',
    columns: keyColumns,
  }),
  command('enable <account> <key>', 'switch a key on', { call: aKey, sends: { active: true } }),
  command('disable <account> <key>', 'switch a key off: calls with it are refused within a second', {
    call: aKey,
    sends: { active: false },
  }),
  command(
    'rotate <account> <key>',
    'give a key a new secret, shown only once; the old one works on for a while',
    {
      call: 'POST /accounts/:account/keys/:key/rotate',
      once: 'key',
      options: [option('--overlap-hours <n>', 'how long, 0 to 168 (default: 24)', parseInteger)],
      remark: saveKey,
    },
  ),
  command('rename <account> <key> <name>', 'rename a key', { call: aKey }),
  command('delete <account> <key>', 'delete a key permanently: calls with it are refused within a second', {
    call: 'DELETE /accounts/:account/keys/:key',
  }),
]);
