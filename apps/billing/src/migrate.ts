import { loadConfig, runMigrations, urlWith } from '@app/platform';
import { billingMigrationOptions } from './database/data-source.js';

const specs = {
  BILLING_DATABASE_URL: urlWith(
    'postgres:',
    'postgresql:',
  )({ desc: 'database of the accounts and the ledger' }),
};

const { BILLING_DATABASE_URL: url } = loadConfig(specs, process.env);
await runMigrations('billing', billingMigrationOptions(url));
