import { type AuditReply, type Discrepancy, type LedgerEntryView, type Usage } from '#contracts';
import { type AdminClient, path } from '../admin-client.js';
import { CliError } from '../errors.js';
import { formatCount, formatSigned, formatTime } from '../output/format.js';
import { type Column, page, table } from '../output/table.js';
import { command, group, option, pageOptions } from './command.js';

const exportPageSize = 200;

interface EntryList {
  readonly entries: LedgerEntryView[];
  readonly next_cursor: string | null;
  readonly online_since: string | null;
}

const entryColumns: Column<LedgerEntryView>[] = [
  ['at', 'at'],
  'type',
  ['credits', ({ credits }) => formatSigned(credits), 'right'],
  'operation',
  'state',
  ['lot', 'lot_id'],
  ['request', 'request_id'],
  'reference',
  'reason',
];

const usageColumns: Column<Usage['usage'][number]>[] = [
  ['day (UTC)', 'day'],
  ['key', 'key_id'],
  'operation',
  'calls',
  'credits',
];

const discrepancyColumns: Column<Discrepancy>[] = [
  ['what', 'kind'],
  ['account', 'account_id'],
  ['lot', 'lot_id'],
  ['charge', 'charge_id'],
  'expected',
  'found',
];

export const ledgerCommands = group('ledger', 'ledger entries of an account', [
  command(
    'export <account>',
    'print the whole statement of an account as CSV, or as JSON with --json, newest entry first',
    {
      run: async ({ json, client, io }, { account }: { account: string }) => {
        const pieces = json
          ? allEntries(client, account)
          : client.download(path`/accounts/${account}/ledger.csv`);
        for await (const text of pieces) io.stdout.write(text);
      },
    },
  ),
  command('list <account>', 'list the entries of an account, newest first, a page at a time', {
    call: 'GET /accounts/:account/ledger',
    options: pageOptions('entries'),
    show: (list: EntryList) => page('entries', entryColumns)(list) + archivedBefore(list),
  }),
]);

export const usageCommand = command('usage <account>', 'show calls and credits by day, key and operation', {
  call: 'GET /accounts/:account/usage',
  options: [
    option('--from <day>', 'first day, such as 2026-01-31 (default: 29 days before the last)'),
    option('--to <day>', 'last day (default: today, UTC)'),
  ],
  show: ({ from, to, usage }: Usage) => {
    const sum = (name: 'calls' | 'credits') => usage.reduce((total, row) => total + row[name], 0);
    const sums = `${formatCount(sum('calls'), 'call')}, ${formatCount(sum('credits'), 'credit')}`;
    return `${table(usageColumns, usage)}\n\n${from} to ${to}: ${sums}`;
  },
});

export const auditCommand = command('audit', 'recompute the whole ledger; exits with 1 on any discrepancy', {
  run: async (session) => {
    const audit = await session.client.get<AuditReply>('/ledger/audit');
    session.print(audit, showAudit);
    if (!audit.ok) throw new CliError('The ledger has discrepancies.');
  },
});

/** Below the last page. */
function archivedBefore({ next_cursor, online_since }: EntryList): string {
  if (online_since === null || next_cursor !== null) return '';
  return `\n\nEntries from before ${formatTime(online_since)} are in the archives of the ledger.`;
}

/** `{"entries": [...]}` of all pages, in pieces. */
async function* allEntries(client: AdminClient, account: string): AsyncGenerator<string> {
  let separator = '{"entries":[';
  const query = { limit: exportPageSize };
  for await (const entry of client.all<LedgerEntryView>(
    path`/accounts/${account}/ledger`,
    'entries',
    query,
  )) {
    yield `${separator}\n${JSON.stringify(entry)}`;
    separator = ',';
  }
  yield separator === ',' ? '\n]}\n' : `${separator}]}\n`;
}

function showAudit({ ok, accounts, lots, entries, discrepancies }: AuditReply): string {
  const scope = [
    formatCount(accounts, 'account'),
    formatCount(lots, 'lot'),
    formatCount(entries, 'entry', 'entries'),
  ].join(', ');
  return ok ? `OK: ${scope}` : `NOT OK: ${scope}\n\n${table(discrepancyColumns, discrepancies)}`;
}
