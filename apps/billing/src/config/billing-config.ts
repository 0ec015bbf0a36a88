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

/** Everything that can be set on the migration job. */
export const billingMigrationSpecs = { ...billingDatabase, ...migrationConfig };

/** Everything that can be set on billing. */
export const billingSpecs = {
  ...commonConfig,
  INTERNAL_PORT: internalPort(9_002),
  ...databaseConfig,
  ...billingDatabase,
  BILLING_PREPARED_STATEMENTS: str({
    choices: ['true', 'false'],
    default: 'true',
    desc: 'whether connections keep the statements of charges prepared; `false` behind a PgBouncer before 1.21',
  }),
  PENDING_TIMEOUT_MS: integer({ min: 1_000, max: 600_000 })({
    default: defaultLedgerOptions.pendingTimeoutMs,
    desc: 'a charge that nobody settles within this time counts as voided, ms',
  }),
  SWEEP_PERIOD_MS: integer({ min: 100, max: 600_000 })({
    default: defaultLedgerOptions.sweepPeriodMs,
    desc: 'time between two sweeps, ms',
  }),
};

/** Throws `ConfigError` with every problem at once. */
export function readBillingConfig(environment: Environment) {
  return loadConfig(billingSpecs, environment);
}

export type BillingConfig = ReturnType<typeof readBillingConfig>;
