import {
  adminActions,
  type AdminLogEntry,
  type AdminLogPage,
  type AdminRole,
  adminRoles,
  type AdminTokenView,
  type CreatedAdminToken,
} from '#contracts';
import { path } from '../admin-client.js';
import { formatTime } from '../output/format.js';
import { fields, nextPage, table, type Column } from '../output/table.js';
import {
  type CommandGroup,
  type CommandSpec,
  option,
  type PageOptions,
  pageOptions,
  required,
} from './command.js';

interface LogOptions extends PageOptions {
  readonly account?: string;
  readonly subject?: string;
  readonly action?: string;
  readonly token?: string;
}

const tokenColumns: Column<AdminTokenView>[] = [
  { title: 'ID', value: (token) => token.id },
  { title: 'NAME', value: (token) => token.name },
  { title: 'ROLE', value: (token) => token.role },
  { title: 'TOKEN', value: (token) => `${token.prefix}...` },
  { title: 'CREATED (UTC)', value: (token) => formatTime(token.created_at) },
  { title: 'LAST USED (UTC)', value: (token) => formatTime(token.last_used_at) },
  { title: 'WITHDRAWN (UTC)', value: (token) => formatTime(token.withdrawn_at) },
];

const logColumns: Column<AdminLogEntry>[] = [
  { title: 'TIME (UTC)', value: (entry) => formatTime(entry.at) },
  { title: 'TOKEN', value: (entry) => entry.token },
  { title: 'ACTION', value: (entry) => entry.action },
  { title: 'SUBJECT', value: (entry) => entry.subject },
  { title: 'CHANGE', value: changeOf },
];

export const tokenCommands: CommandGroup = {
  group: 'tokens',
  help: 'tokens of the admin API, one for each operator and program',
  commands: [
    {
      usage: 'create <name>',
      help: 'create a token; it is shown only once',
      options: [
        required('--role <role>', 'all; support: accounts and orders; import: creators; read').choices(
          adminRoles,
        ),
      ],
      run:
        (session) =>
        (name: string, { role }: { role: AdminRole }) =>
          session.send<CreatedAdminToken>('POST', '/tokens', { name, role }, showCreatedToken),
    },
    {
      usage: 'list',
      help: 'list all tokens, withdrawn ones too',
      run: (session) => () =>
        session.get<{ tokens: AdminTokenView[] }>('/tokens', ({ tokens }) => table(tokenColumns, tokens)),
    },
    {
      usage: 'withdraw <token>',
      help: 'withdraw a token: it is refused from then on',
      run: (session) => (token: string) =>
        session.send<AdminTokenView>(
          'DELETE',
          path`/tokens/${token}`,
          undefined,
          ({ name }) => `The token ${name} is withdrawn.`,
        ),
    },
    {
      usage: 'show',
      help: 'show the name and the role of the token that this command line uses',
      run: (session) => () =>
        session.get<{ token: string; role: string }>('/me', ({ token, role }) =>
          fields([
            ['token', token],
            ['role', role],
          ]),
        ),
    },
  ],
};

export const logCommand: CommandSpec = {
  usage: 'log',
  help: 'list what operators have changed, newest first',
  options: [
    option('--account <id>', 'only changes of this account'),
    option('--subject <subject>', 'only changes of this id, slug or address'),
    option('--action <action>', 'only changes of this kind').choices(adminActions),
    option('--token <name>', 'only changes by the token of this name'),
    ...pageOptions('changes'),
  ],
  run:
    (session) =>
    ({ account, subject, action, token, limit, cursor }: LogOptions) =>
      session.get<AdminLogPage>(
        '/log',
        ({ entries, next_cursor }) => table(logColumns, entries) + nextPage(next_cursor),
        { account_id: account, subject, action, token, limit, cursor },
      ),
};

function showCreatedToken({ id, name, role, token }: CreatedAdminToken): string {
  const facts = fields([
    ['id', id],
    ['name', name],
    ['role', role],
    ['token', token],
  ]);
  return `${facts}\n\nSave the token now: it can't be shown again.`;
}

const shownLengthMax = 60;
const changeLengthMax = 160;

/** The fields that differ, each as `name: before -> after`; of something new or gone, its fields. `--json` has all of it. */
function changeOf({ before, after }: AdminLogEntry): string {
  const [old, current] = [before, after].map((value) => (value ?? {}) as Record<string, unknown>);
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(current ?? {})])];
  const change = names
    .filter((name) => name !== 'id' && (old?.[name] ?? current?.[name] ?? null) !== null)
    .filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(current?.[name]))
    .map((name) => {
      const values = [old, current].map((value) => shorten(value?.[name]));
      return before === null || after === null
        ? `${name}: ${values.find((value) => value !== '') ?? ''}`
        : `${name}: ${values.join(' -> ')}`;
    })
    .join(', ');
  return cut(change, changeLengthMax);
}

function shorten(value: unknown): string {
  if (value === undefined || value === null) return value === null ? 'none' : '';
  return cut(typeof value === 'string' ? value : JSON.stringify(value), shownLengthMax);
}

function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text;
}
