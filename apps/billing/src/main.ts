import { runService } from '#platform';
import { startMicroservice } from '#transport';
import { BillingModule } from './billing.module.js';
import { readBillingConfig } from './config/billing-config.js';

runService(process.env, {
  name: 'billing',
  readConfig: readBillingConfig,
  start: (config, logger) => startMicroservice(BillingModule.forRoot(config, logger), logger),
});
