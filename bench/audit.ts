import { performance } from 'node:perf_hooks';
import { withClient } from '@app/local-stack';
import { TransactionRunner } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { billingReportsOptions } from '../apps/billing/src/database/data-source.js';
import { defaultLedgerOptions } from '../apps/billing/src/ledger/rules/ledger-options.js';
import { AuditRepository } from '../apps/billing/src/reports/audit/audit.repository.js';
import { type AuditOutcome, LedgerAudit } from '../apps/billing/src/reports/audit/ledger-audit.js';
import { makeHistory } from './ledger-cost/history.js';
import { readOptions } from './read-options.js';
import { startDatabaseServer } from './whole-call/database-server.js';

/** How long the full audit of ledgers of several sizes takes, and the hourly one after the same hour of calls in each. */
const given = readOptions('audit', {
  history: { type: 'string', default: '1000,10000000' },
  /** Charges of the hour. */
  hour: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '3' },
  /** Keeps the databases there, for further runs. */
  data: { type: 'string' },
});

/** The next hour has begun and is over, with calls of every account; a tenth is voided. */
const anHourLater = `
  SET session_replication_role = replica;
  CREATE TEMP TABLE calls AS
    SELECT gen_random_uuid() AS id, lots.id AS lot_id, account_id, number % 10 = 0 AS is_voided,
      ledger_now() + interval '1 hour' * number / $COUNT AS at
    FROM generate_series(1, $COUNT) AS number
    JOIN (SELECT id, account_id, row_number() OVER () - 1 AS place, count(*) OVER () AS lots FROM lots WHERE remaining > 0) AS lots
      ON lots.place = number % lots.lots;
  INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, void_reason, credits_remaining, created_at,
      pending_until, settled_at)
    SELECT calls.id, account_id, api_keys.id, calls.id::text, 'search', 3, CASE WHEN is_voided THEN 'voided' ELSE 'posted' END,
      CASE WHEN is_voided THEN 'given_up' END, 1000, at, at + interval '30 seconds', at
    FROM calls JOIN api_keys USING (account_id) ORDER BY at;
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
    SELECT account_id, lot_id, type, credits, id, at
    FROM calls, (VALUES ('charge', -3), ('reversal', 3)) AS entry (type, credits)
    WHERE type = 'charge' OR is_voided ORDER BY at, type;
  UPDATE lots SET remaining = remaining - taken
    FROM (SELECT lot_id, 3 * count(*) FILTER (WHERE NOT is_voided) AS taken FROM calls GROUP BY lot_id) AS use
    WHERE lots.id = use.lot_id;
  CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 hour' $$`;

async function measure(history: number): Promise<Record<string, number | string>[]> {
  const directory = given.data && `${given.data}/${history}`;
  const postgres = await startDatabaseServer({ directory, settings: { max_wal_size: '4GB' } });
  try {
    const url = postgres.url('postgres');
    await makeHistory(url, history);
    await withClient(url, (client) => client.query('VACUUM ANALYZE'));
    const dataSource = await new DataSource(billingReportsOptions(url)).initialize();
    const reader = new TransactionRunner(dataSource);
    const audit = new LedgerAudit(new AuditRepository(), defaultLedgerOptions);
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
    await withClient(url, async (client) => {
      await client.query(anHourLater.replaceAll('$COUNT', given.hour));
      await client.query('VACUUM ANALYZE');
    });
    const rows = [full.row];
    for (let round = 0; round < Number(given.rounds); round++) {
      rows.push((await timed('hourly', full.outcome)).row);
    }
    await dataSource.destroy();
    return rows;
  } finally {
    await postgres.stop();
  }
}

for (const history of given.history.split(',').map(Number)) console.table(await measure(history));
