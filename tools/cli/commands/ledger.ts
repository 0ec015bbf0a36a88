import { type AuditReply, type Discrepancy, type LedgerEntryView, type Usage } from '#contracts';
import { type AdminClient, path } from '../admin-client.js';
import { CliError } from '../errors.js';
import { formatCount, formatInteger, formatTime } from '../output/format.js';
import { nextPage, table, type Column } from '../output/table.js';
import { type CommandGroup, type CommandSpec, option, type PageOptions, pageOptions } from './command.js';

const exportPageSize = 200;

interface EntryList {
  readonly entries: LedgerEntryView[];
  readonly next_cursor: string | null;
  readonly online_since: string | null;
}

const entryColumns: Column<LedgerEntryView>[] = [
  { title: 'AT (UTC)', value: (entry) => formatTime(entry.at) },
  { title: 'TYPE', value: (entry) => entry.type },
  {
    title: 'CREDITS',
    align: 'right',
    value: ({ credits }) => (credits > 0 ? '+' : '') + formatInteger(credits),
  },
  { title: 'OPERATION', value: (entry) => entry.operation ?? '-' },
  { title: 'STATE', value: (entry) => entry.state ?? '-' },
  { title: 'LOT', value: (entry) => entry.lot_id },
  { title: 'REQUEST', value: (entry) => entry.request_id ?? '-' },
  { title: 'REFERENCE', value: (entry) => entry.reference ?? '-' },
  { title: 'REASON', value: (entry) => entry.reason ?? '-' },
];

const usageColumns: Column<Usage['usage'][number]>[] = [
  { title: 'DAY (UTC)', value: (row) => row.day },
  { title: 'KEY', value: (row) => row.key_id },
  { title: 'OPERATION', value: (row) => row.operation },
  { title: 'CALLS', align: 'right', value: (row) => formatInteger(row.calls) },
  { title: 'CREDITS', align: 'right', value: (row) => formatInteger(row.credits) },
];

const discrepancyColumns: Column<Discrepancy>[] = [
  { title: 'WHAT', value: (found) => found.kind },
  { title: 'ACCOUNT', value: (found) => found.account_id ?? '-' },
  { title: 'LOT', value: (found) => found.lot_id ?? '-' },
  { title: 'CHARGE', value: (found) => found.charge_id ?? '-' },
  { title: 'EXPECTED', value: (found) => found.expected },
  { title: 'FOUND', value: (found) => found.found },
];

export const ledgerCommands: CommandGroup = {
  group: 'ledger',
  help: 'ledger entries of an account',
  commands: [
    {
      usage: 'export <account>',
      help: 'print the whole statement of an account as CSV, or as JSON with --json, newest entry first',
      run: (session) => async (account: string) => {
        const pieces = session.json
          ? allEntries(session.client, account)
          : session.client.download(path`/accounts/${account}/ledger.csv`);
        for await (const text of pieces) session.io.stdout.write(text);
      },
    },
    {
      usage: 'list <account>',
      help: 'list the entries of an account, newest first, a page at a time',
      options: pageOptions('entries'),
      run:
        (session) =>
        (account: string, { limit, cursor }: PageOptions) =>
          session.get<EntryList>(
            path`/accounts/${account}/ledger`,
            (page) => table(entryColumns, page.entries) + nextPage(page.next_cursor) + archivedBefore(page),
            { limit, cursor },
          ),
    },
  ],
};

export const usageCommand: CommandSpec = {
  usage: 'usage <account>',
  help: 'show calls and credits by day, key and operation',
  options: [
    option('--from <day>', 'first day, such as 2026-01-31 (default: 29 days before the last)'),
    option('--to <day>', 'last day (default: today, UTC)'),
  ],
  run:
    (session) =>
    (account: string, { from, to }: { from?: string; to?: string }) =>
      session.get<Usage>(path`/accounts/${account}/usage`, showUsage, { from, to }),
};

export const auditCommand: CommandSpec = {
  usage: 'audit',
  help: 'recompute the whole ledger; exits with 1 on any discrepancy',
  run: (session) => async () => {
    const audit = await session.client.get<AuditReply>('/ledger/audit');
    session.print(audit, showAudit);
    if (!audit.ok) throw new CliError('The ledger has discrepancies.');
  },
};

/** Below the last page. */
function archivedBefore({ next_cursor, online_since }: EntryList): string {
  if (online_since === null || next_cursor !== null) return '';
  return `\n\nEntries from before ${formatTime(online_since)} are in the archives of the ledger.`;
}

/** `{"entries": [...]}` of all pages, in pieces. */
async function* allEntries(client: AdminClient, account: string): AsyncGenerator<string> {
  let cursor: string | undefined;
  let separator = '{"entries":[';
  do {
    const query = { limit: String(exportPageSize), cursor };
    const at = path`/accounts/${account}/ledger`;
    const { entries, next_cursor }: EntryList = await client.get<EntryList>(at, query);
    for (const entry of entries) {
      yield `${separator}\n${JSON.stringify(entry)}`;
      separator = ',';
    }
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
  yield separator === ',' ? '\n]}\n' : `${separator}]}\n`;
}

function showUsage({ from, to, usage }: Usage): string {
  const sum = (of: 'call' | 'credit'): string =>
    formatCount(
      usage.reduce((total, row) => total + row[`${of}s`], 0),
      of,
    );
  return `${table(usageColumns, usage)}\n\n${from} to ${to}: ${sum('call')}, ${sum('credit')}`;
}

function showAudit({ ok, accounts, lots, entries, discrepancies }: AuditReply): string {
  const scope = [
    formatCount(accounts, 'account'),
    formatCount(lots, 'lot'),
    formatCount(entries, 'entry', 'entries'),
  ].join(', ');
  return ok ? `OK: ${scope}` : `NOT OK: ${scope}\n\n${table(discrepancyColumns, discrepancies)}`;
}
