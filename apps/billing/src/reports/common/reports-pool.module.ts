import { DatabaseModule } from '#platform/database';
import { Module } from '@nestjs/common';
import { type BillingConfig } from '../../config/billing-config.js';
import { billingReportsOptions, reportsPool } from '../../database/data-source.js';
import { ReportsInProgress } from './reports-limit.interceptor.js';

type ReportsConfig = Pick<BillingConfig, 'BILLING_DATABASE_URL' | 'BILLING_PREPARED_STATEMENTS'>;

/** Support for operators' reports: separate connections, and a bound on the reports in progress. */
@Module({
  imports: [
    DatabaseModule.forPoolAsync({
      name: reportsPool,
      useFactory: ({ BILLING_DATABASE_URL: url, BILLING_PREPARED_STATEMENTS }: ReportsConfig) =>
        billingReportsOptions({ url, prepareStatements: BILLING_PREPARED_STATEMENTS === 'true' }),
    }),
  ],
  providers: [ReportsInProgress],
  exports: [ReportsInProgress],
})
export class ReportsPoolModule {}
