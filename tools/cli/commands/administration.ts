import { adminActions, type AdminLogEntry, adminRoles } from '#contracts';
import { type Column } from '../output/show.js';
import { command, group, option, pageOptions, required } from './command.js';

const logColumns: Column<AdminLogEntry>[] = ['at', 'token', 'action', 'subject', ['change', changeOf]];

export const tokenCommands = group('tokens', 'tokens of the admin API, one for each operator and program', [
  command('create <name>', 'create a token; it is shown only once', {
    call: 'POST /tokens',
    options: [
      required('--role <role>', 'all; support: accounts and orders; import: creators; read').choices(
        adminRoles,
      ),
    ],
    remark: () => "Save the token now: it can't be shown again.",
  }),
  command('list', 'list all tokens, withdrawn ones too', { call: 'GET /tokens' }),
  command('withdraw <token>', 'withdraw a token: it is refused from then on', {
    call: 'DELETE /tokens/:token',
  }),
  command('show', 'show the name and the role of the token that this command line uses', {
    call: 'GET /me',
  }),
]);

export const logCommand = command('log', 'list what operators have changed, newest first', {
  call: 'GET /log',
  options: [
    option('--account <id>', 'only changes of this account').as('account_id'),
    option('--subject <subject>', 'only changes of this id, slug or address'),
    option('--action <action>', 'only changes of this kind').choices(adminActions),
    option('--token <name>', 'only changes by the token of this name'),
    ...pageOptions,
  ],
  columns: logColumns,
});

const shownLengthMax = 60;
const changeLengthMax = 160;

/** The fields that differ, each as `name: before -> after`; of something new or gone, its fields. `--json` has all of it. */
function changeOf({ before, after }: AdminLogEntry): string {
  const [old, current] = [before, after].map((value) => (value ?? {}) as Record<string, unknown>);
  const change = Object.keys({ ...old, ...current })
    .filter((name) => name !== 'id' && (old?.[name] ?? current?.[name] ?? null) !== null)
    .filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(current?.[name]))
    .map((name) => {
      const values = [old, current].map((value) => shorten(value?.[name]));
      const isChanged = before !== null && after !== null;
      return `${name}: ${isChanged ? values.join(' -> ') : values.join('')}`;
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
