import { runService } from '@app/platform';
import { startBilling } from './billing.js';
import { readBillingConfig } from './config/billing-config.js';

runService(() => Promise.resolve(process.env).then(readBillingConfig).then(startBilling));
