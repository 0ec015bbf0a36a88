import { type Command } from 'commander';
import { type AuditReply, type Discrepancy, type LedgerEntryView, type Usage } from '@app/contracts';
import { type AdminClient, path } from '../admin-client.js';
import { parseCount } from '../arguments.js';
import { CliError } from '../errors.js';
import { formatCount, formatInteger, formatTime } from '../output/format.js';
import { table, type Column } from '../output/table.js';
import { type Session } from '../session.js';
import { nextPage } from './next-page.js';

const exportPageSize = 200;

interface EntryList {
  readonly entries: LedgerEntryView[];
  readonly next_cursor: string | null;
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
  { title: 'ACCOUNT', value: (found) => found.account_id },
  { title: 'LOT', value: (found) => found.lot_id ?? '-' },
  { title: 'CHARGE', value: (found) => found.charge_id ?? '-' },
  { title: 'EXPECTED', value: (found) => found.expected },
  { title: 'FOUND', value: (found) => found.found },
];

/** `ledger export`, `ledger list`, `usage` and `audit`. */
export function addLedger(program: Command, session: Session): void {
  const ledger = program.command('ledger').description('ledger entries of an account');
  ledger
    .command('export')
    .description('the whole statement of an account as CSV, or as JSON with --json, newest entry first')
    .argument('<account>', 'account id')
    .action(async (account: string) => {
      const pieces = session.json
        ? allEntries(session.client, account)
        : session.client.download(path('accounts', account, 'ledger.csv'));
      for await (const text of pieces) session.io.stdout.write(text);
    });
  ledger
    .command('list')
    .description('the entries of an account, newest first, a page at a time')
    .argument('<account>', 'account id')
    .option('--limit <n>', 'entries on the page (default: 50)', parseCount)
    .option('--cursor <cursor>', 'cursor from the previous page')
    .action(async (account: string, query: { limit?: string; cursor?: string }) => {
      const call = { method: 'GET', path: path('accounts', account, 'ledger'), query } as const;
      const page = await session.client.call<EntryList>(call);
      session.print(page, ({ entries, next_cursor }) => table(entryColumns, entries) + nextPage(next_cursor));
    });

  program
    .command('usage')
    .description('calls and credits by day, key and operation')
    .argument('<account>', 'account id')
    .option('--from <day>', 'first day, 2026-01-31 (default: 30 days up to the last)')
    .option('--to <day>', 'last day (default: today, UTC)')
    .action(async (account: string, query: { from?: string; to?: string }) => {
      const call = { method: 'GET', path: path('accounts', account, 'usage'), query } as const;
      session.print(await session.client.call<Usage>(call), showUsage);
    });

  program
    .command('audit')
    .description('recompute the whole ledger; exit code 1 when anything differs')
    .action(async () => {
      const call = { method: 'GET', path: path('ledger', 'audit') } as const;
      const audit = await session.client.call<AuditReply>(call);
      session.print(audit, showAudit);
      if (!audit.ok) throw new CliError('The ledger does not add up.');
    });
}

/** `{"entries": [...]}` of all pages, in pieces. */
async function* allEntries(client: AdminClient, account: string): AsyncGenerator<string> {
  let cursor: string | undefined;
  let separator = '{"entries":[';
  do {
    const query = { limit: String(exportPageSize), cursor };
    const call = { method: 'GET', path: path('accounts', account, 'ledger'), query } as const;
    const { entries, next_cursor }: EntryList = await client.call<EntryList>(call);
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
