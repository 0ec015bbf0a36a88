import {
  commonConfig,
  databaseConfig,
  integer,
  internalPort,
  loadConfig,
  productName,
  urlWith,
  type Environment,
} from '#platform';
import { migrationConfig } from '#platform/database';
import { str } from 'envalid';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { mailProblems, mailUrl, sender, webUrl } from './billing-rules.js';
import { sellingRule, sellingSpecs } from './selling-config.js';

const databaseUrl = urlWith('postgres:', 'postgresql:');

const billingDatabase = {
  BILLING_DATABASE_URL: databaseUrl({ desc: 'database of the accounts and the ledger' }),
};

/** All configuration variables of the migration job. */
export const billingMigrationSpecs = { ...billingDatabase, ...migrationConfig };

/** What the job that archives months does, and billing watches. */
export const archiveConfig = {
  LEDGER_ONLINE_MONTHS: integer({ min: 13, max: 120 })({
    default: defaultLedgerOptions.onlineMonths,
    desc: 'whole months of the ledger before the present one that stay in the database, at least as many as a report can show; billing watches that older ones leave',
  }),
};

/** All configuration variables of that job. */
export const billingArchiveSpecs = {
  ...billingDatabase,
  ...archiveConfig,
  LEDGER_ARCHIVE_DIRECTORY: str({ desc: 'directory to which old months of the ledger are written' }),
};

const mail = {
  MAIL_URL: mailUrl({
    default: undefined,
    desc: 'mail server for sign-in links and notices: smtp://user:password@host:port (STARTTLS where the server offers it; `?requireTLS=true` insists on it) or smtps://...; `log:` writes mails with their links to the log, for development; empty: no mail, operators hand out sign-in links',
  }),
  MAIL_FROM: sender({
    default: undefined,
    desc: 'sender of every mail, for example `Creator Search <no-reply@example.com>`; required with a mail server',
  }),
  PRODUCT_NAME: productName,
  SITE_URL: webUrl({
    default: undefined,
    desc: 'origin of the website, for links in mails, for example https://creators.example',
  }),
  SIGN_UP: str({
    choices: ['open', 'invite'],
    default: undefined,
    desc: '`open`: signing in with an unknown address opens an account; `invite`: only members of an account and invited people can sign in; default: open when MAIL_URL is set',
  }),
};

/** All configuration variables of billing. */
export const billingSpecs = {
  ...commonConfig,
  INTERNAL_PORT: internalPort(9_002),
  ...databaseConfig,
  ...billingDatabase,
  LEDGER_ARCHIVE_DIRECTORY: str({
    default: '',
    desc: 'directory with the archived months of the ledger, the same for every replica and the archive job; empty: no month is archived',
  }),
  ...archiveConfig,
  ...mail,
  BILLING_PREPARED_STATEMENTS: str({
    choices: ['true', 'false'],
    default: 'true',
    desc: 'use prepared statements for charges, balances and statements of accounts; `false` behind PgBouncer before 1.21',
  }),
  PENDING_TIMEOUT_MS: integer({ min: 1_000, max: 600_000 })({
    default: defaultLedgerOptions.pendingTimeoutMs,
    desc: 'pending time-out, ms: a charge not settled within it counts as voided',
  }),
  SWEEP_PERIOD_MS: integer({ min: 100, max: 600_000 })({
    default: defaultLedgerOptions.sweepPeriodMs,
    desc: 'time between two sweeps, ms',
  }),
  ...sellingSpecs,
};

/** Throws one `ConfigError` with all problems, including those between variables. */
export function readBillingConfig(environment: Environment) {
  return loadConfig(billingSpecs, environment, [mailProblems, sellingRule(environment)]);
}

export type BillingConfig = ReturnType<typeof readBillingConfig>;
