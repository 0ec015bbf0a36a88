import { loadConfig } from '#platform';
import { runMigrationJob, runMigrations } from '#platform/database';
import { billingMigrationSpecs } from './config/billing-config.js';
import { billingMigrationOptions } from './database/data-source.js';
import { grants } from './database/grants.js';

runMigrationJob('billing', async () => {
  const { BILLING_DATABASE_URL: url, RUNTIME_ROLE: runtimeRole } = loadConfig(
    billingMigrationSpecs,
    process.env,
  );
  await runMigrations({ service: 'billing', options: billingMigrationOptions(url), grants, runtimeRole });
});
