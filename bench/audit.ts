import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { withClient } from '@app/local-stack';
import { TransactionRunner } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { billingReportsOptions } from '../apps/billing/src/database/data-source.js';
import { defaultLedgerOptions } from '../apps/billing/src/ledger/rules/ledger-options.js';
import { AuditRepository } from '../apps/billing/src/reports/audit/audit.repository.js';
import { type AuditOutcome, LedgerAudit } from '../apps/billing/src/reports/audit/ledger-audit.js';
import { makeHistory } from './ledger-cost/history.js';
import { addHourOfCalls } from './ledger-cost/hour-of-calls.js';
import { archiveOldest } from './months/archive-oldest.js';
import { readOptions } from './read-options.js';
import { startDatabaseServer } from './whole-call/database-server.js';

/** How long the full audit of ledgers of several sizes takes, and the hourly one after the same hour of calls in each. */
const given = readOptions('audit', {
  history: { type: 'string', default: '1000,10000000' },
  /** Of 30 days each, in which they were made. */
  periods: { type: 'string', default: '2' },
  /** Charges of the hour. */
  hour: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '3' },
  /** Archives all but three whole months first, and the full audit reads both. For databases that are not kept. */
  archive: { type: 'boolean', default: false },
  /** Keeps the databases there, for further runs. */
  data: { type: 'string' },
});

async function measure(history: number): Promise<Record<string, number | string>[]> {
  const directory = given.data && `${given.data}/${history}`;
  const postgres = await startDatabaseServer({ directory, settings: { max_wal_size: '4GB' } });
  try {
    const url = postgres.url('postgres');
    await makeHistory(url, { count: history, periods: Number(given.periods) });
    await withClient(url, (client) => client.query('VACUUM ANALYZE'));
    const dataSource = await new DataSource(billingReportsOptions({ url })).initialize();
    const reader = new TransactionRunner(dataSource);
    const archiveDirectory = given.archive ? mkdtempSync(join(tmpdir(), 'bench-archives-')) : '';
    if (given.archive) console.table(await archiveOldest(url, archiveDirectory, 3));
    const audit = new LedgerAudit(new AuditRepository(), { ...defaultLedgerOptions, archiveDirectory });
    const timed = async (what: string, before: AuditOutcome | null) => {
      const startedAt = performance.now();
      const outcome = await audit.run({ reader, before, signal: new AbortController().signal });
      const seconds = (performance.now() - startedAt) / 1_000;
      const { entries, discrepancies } = outcome.reply;
      const rss = Math.round(process.resourceUsage().maxRSS / 1_024);
      const row = { history, what, entries, seconds: seconds.toFixed(2), found: discrepancies.length, rss };
      return { outcome, row: { ...row, 'entries/s': Math.round(entries / seconds) } };
    };
    const full = await timed('full', null);
    await addHourOfCalls(url, Number(given.hour));
    const rows = [full.row];
    for (let round = 0; round < Number(given.rounds); round++) {
      rows.push((await timed('hourly', full.outcome)).row);
    }
    await dataSource.destroy();
    if (given.archive) rmSync(archiveDirectory, { recursive: true });
    return rows;
  } finally {
    await postgres.stop();
  }
}

for (const history of given.history.split(',').map(Number)) console.table(await measure(history));
