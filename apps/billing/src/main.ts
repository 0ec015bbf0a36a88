import { runService } from '@app/platform';
import { startBilling } from './billing.js';
import { readBillingConfig } from './config/billing-config.js';

runService(process.env, { name: 'billing', readConfig: readBillingConfig, start: startBilling });
