import { runService } from '@app/platform';
import { startMicroservice } from '@app/transport';
import { BillingModule } from './billing.module.js';
import { readBillingConfig } from './config/billing-config.js';

runService(process.env, {
  name: 'billing',
  readConfig: readBillingConfig,
  start: (config, logger) => startMicroservice(BillingModule.forRoot(config, logger), logger),
});
