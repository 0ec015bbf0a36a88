import { type CreatedKey, type KeyView } from '#contracts';
import { path } from '../admin-client.js';
import { parseExpiry, parseInteger, parseLimit } from '../arguments.js';
import { formatInteger, formatTime } from '../output/format.js';
import { type Column, fields, table } from '../output/table.js';
import { type CommandGroup, option } from './command.js';

interface KeyLimits {
  readonly expires?: string;
  readonly monthlyLimit?: number | string;
}

const keyColumns: Column<KeyView>[] = [
  { title: 'ID', value: (key) => key.id },
  { title: 'NAME', value: (key) => key.name },
  { title: 'KEY', value: (key) => `${key.prefix}...` },
  { title: 'ACTIVE', value: (key) => (key.active ? 'yes' : 'no') },
  { title: 'EXPIRES (UTC)', value: (key) => formatTime(key.expires_at) },
  { title: 'SPENT THIS MONTH', align: 'right', value: spentOfLimit },
  { title: 'CREATED (UTC)', value: (key) => formatTime(key.created_at) },
  { title: 'LAST USED (UTC)', value: (key) => formatTime(key.last_used_at) },
];

const showKey = (key: KeyView): string => table(keyColumns, [key]);

export const keyCommands: CommandGroup = {
  group: 'keys',
  help: 'API keys of an account, at most 5',
  commands: [
    {
      usage: 'create <account>',
      help: 'create a key; it is shown only once',
      options: [
        option('--name <name>', 'what the key is for').default('default'),
        option('--expires <date>', 'when it stops working: a day or a time, UTC', parseExpiry),
        option('--monthly-limit <n>', 'credits in a calendar month, UTC', parseLimit),
      ],
      run:
        (session) =>
        async (account: string, { name, ...limits }: KeyLimits & { name: string }) =>
          session.print(
            await session.client.create<CreatedKey>(path`/accounts/${account}/keys`, {
              name,
              ...toBody(limits),
            }),
            showCreatedKey,
          ),
    },
    {
      usage: 'update <account> <key>',
      help: 'change when a key expires, and what it may spend in a calendar month',
      options: [
        option('--expires <date>', 'a day or a time, UTC, or "never"', parseExpiry),
        option('--monthly-limit <n>', 'credits in a calendar month, UTC, or "none"', parseLimit),
      ],
      run: (session) => (account: string, key: string, limits: KeyLimits) =>
        session.send('PATCH', path`/accounts/${account}/keys/${key}`, toBody(limits), showKey),
    },
    {
      usage: 'list <account>',
      help: 'list the keys of an account',
      run: (session) => (account: string) =>
        session.get<{ keys: KeyView[] }>(path`/accounts/${account}/keys`, ({ keys }) =>
          table(keyColumns, keys),
        ),
    },
    {
      usage: 'enable <account> <key>',
      help: 'switch a key on',
      run: (session) => (account: string, key: string) =>
        session.send('PATCH', path`/accounts/${account}/keys/${key}`, { active: true }, showKey),
    },
    {
      usage: 'disable <account> <key>',
      help: 'switch a key off: calls with it are refused within a second',
      run: (session) => (account: string, key: string) =>
        session.send('PATCH', path`/accounts/${account}/keys/${key}`, { active: false }, showKey),
    },
    {
      usage: 'rotate <account> <key>',
      help: 'give a key a new secret, shown only once; the old one works on for a while',
      options: [option('--overlap-hours <n>', 'how long, 0 to 168 (default: 24)', parseInteger)],
      run:
        (session) =>
        async (account: string, key: string, { overlapHours: overlap_hours }: { overlapHours?: number }) =>
          session.print(
            await session.client.create<CreatedKey>(path`/accounts/${account}/keys/${key}/rotate`, {
              overlap_hours,
            }),
            showCreatedKey,
          ),
    },
    {
      usage: 'rename <account> <key> <name>',
      help: 'rename a key',
      run: (session) => (account: string, key: string, name: string) =>
        session.send('PATCH', path`/accounts/${account}/keys/${key}`, { name }, showKey),
    },
    {
      usage: 'delete <account> <key>',
      help: 'delete a key permanently: calls with it are refused within a second',
      run: (session) => (account: string, key: string) =>
        session.send(
          'DELETE',
          path`/accounts/${account}/keys/${key}`,
          undefined,
          () => `Key ${key} is deleted.`,
        ),
    },
  ],
};

function spentOfLimit({ monthly_limit: limit, spent_this_month: spent = 0 }: KeyView): string {
  return limit === null ? '-' : `${formatInteger(spent)} of ${formatInteger(limit)}`;
}

function toBody({ expires, monthlyLimit }: KeyLimits) {
  return { expires_at: unlessIs('never', expires), monthly_limit: unlessIs('none', monthlyLimit) };
}

/** The API says `null` where the command line has a word. */
function unlessIs<Value>(word: string, value: Value | undefined): Value | null | undefined {
  return value === word ? null : value;
}

function showCreatedKey({ id, name, key, previous_valid_until: until }: CreatedKey): string {
  const facts = fields([
    ['id', id],
    ['name', name],
    ['key', key],
    ...(until === undefined ? [] : [['old key until', `${formatTime(until)} UTC`] as const]),
  ]);
  return `${facts}\n\nSave the key now: it can't be shown again.`;
}
