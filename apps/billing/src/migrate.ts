import { loadConfig } from '#platform';
import { runMigrationJob } from '#platform/database';
import { billingMigrationSpecs } from './config/billing-config.js';
import { billingMigrationOptions } from './database/data-source.js';
import { grants } from './database/grants.js';

runMigrationJob('billing', () => {
  const config = loadConfig(billingMigrationSpecs, process.env);
  const options = billingMigrationOptions(config.BILLING_DATABASE_URL);
  return { options, grants, runtimeRole: config.RUNTIME_ROLE };
});
