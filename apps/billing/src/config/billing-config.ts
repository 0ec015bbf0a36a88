import {
  commonConfig,
  databaseConfig,
  integer,
  internalPort,
  loadConfig,
  migrationConfig,
  urlWith,
  type Environment,
} from '@app/platform';
import { str } from 'envalid';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';

const billingDatabase = {
  BILLING_DATABASE_URL: urlWith(
    'postgres:',
    'postgresql:',
  )({ desc: 'database of the accounts and the ledger' }),
};

/** All configuration variables of the migration job. */
export const billingMigrationSpecs = { ...billingDatabase, ...migrationConfig };

/** All configuration variables of billing. */
export const billingSpecs = {
  ...commonConfig,
  INTERNAL_PORT: internalPort(9_002),
  ...databaseConfig,
  ...billingDatabase,
  BILLING_PREPARED_STATEMENTS: str({
    choices: ['true', 'false'],
    default: 'true',
    desc: 'use prepared statements for charges; `false` behind PgBouncer before 1.21',
  }),
  PENDING_TIMEOUT_MS: integer({ min: 1_000, max: 600_000 })({
    default: defaultLedgerOptions.pendingTimeoutMs,
    desc: 'pending time-out, ms: a charge not settled within it counts as voided',
  }),
  SWEEP_PERIOD_MS: integer({ min: 100, max: 600_000 })({
    default: defaultLedgerOptions.sweepPeriodMs,
    desc: 'time between two sweeps, ms',
  }),
};

/** Throws one `ConfigError` with all problems. */
export function readBillingConfig(environment: Environment) {
  return loadConfig(billingSpecs, environment);
}

export type BillingConfig = ReturnType<typeof readBillingConfig>;
