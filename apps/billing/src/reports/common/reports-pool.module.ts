import { DatabaseModule } from '@app/platform/database';
import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { billingReportsOptions, reportsPool } from '../../database/data-source.js';
import { ReportsInProgress } from './reports-limit.interceptor.js';

interface ReportsConfig {
  readonly BILLING_DATABASE_URL: string;
}

/** Support for operators' reports: separate connections, and a bound on the reports in progress. */
@Module({
  imports: [
    DatabaseModule.forPoolAsync({
      name: reportsPool,
      after: getDataSourceToken(),
      useFactory: ({ BILLING_DATABASE_URL }: ReportsConfig) => billingReportsOptions(BILLING_DATABASE_URL),
    }),
  ],
  providers: [ReportsInProgress],
  exports: [ReportsInProgress],
})
export class ReportsPoolModule {}
