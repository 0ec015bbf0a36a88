import { type AuditReply, type StatementEntry, type Usage } from '#contracts';
import { type AdminClient, path } from '../admin-client.js';
import { CliError } from '../errors.js';
import { formatCount } from '../output/format.js';
import { command, group, option } from './command.js';

const exportPageSize = 200;

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
]);

export const usageCommand = command('usage <account>', 'show calls and credits by day, key and operation', {
  call: 'GET /accounts/:account/usage',
  options: [
    option('--from <day>', 'first day, such as 2026-01-31 (default: 29 days before the last)'),
    option('--to <day>', 'last day (default: today, UTC)'),
  ],
  remark: ({ usage }: Usage) => {
    const sum = (name: 'calls' | 'credits') => usage.reduce((total, row) => total + row[name], 0);
    return `${formatCount(sum('calls'), 'call')}, ${formatCount(sum('credits'), 'credit')}`;
  },
});

export const auditCommand = command('audit', 'recompute the whole ledger; exits with 1 on any discrepancy', {
  run: async (session) => {
    const audit = await session.client.get<AuditReply>('/ledger/audit');
    session.print(audit);
    if (!audit.ok) throw new CliError('The ledger has discrepancies.');
  },
});

/** `{"entries": [...]}` of all pages, in pieces. */
async function* allEntries(client: AdminClient, account: string): AsyncGenerator<string> {
  let separator = '{"entries":[';
  const query = { limit: exportPageSize };
  for await (const entry of client.all<StatementEntry>(path`/accounts/${account}/ledger`, 'entries', query)) {
    yield `${separator}\n${JSON.stringify(entry)}`;
    separator = ',';
  }
  yield separator === ',' ? '\n]}\n' : `${separator}]}\n`;
}
