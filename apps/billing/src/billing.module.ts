import { type Logger, PlatformModule } from '#platform';
import { DatabaseModule } from '#platform/database';
import { TransportModule } from '#transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { type DataSourceOptions } from 'typeorm';
import { AdministrationModule } from './administration/administration.module.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { CreditsModule } from './credits/credits.module.js';
import { type BillingConfig } from './config/billing-config.js';
import { billingDataSourceOptions } from './database/data-source.js';
import { entities } from './entities.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { PeopleModule } from './people/people.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { SweepModule } from './sweep.module.js';

/** One module per resource. */
export const features = [
  AccountsModule,
  AdministrationModule,
  CreditsModule,
  LedgerModule,
  OrdersModule,
  NoticesModule,
  PeopleModule,
  ReportsModule,
  SweepModule,
];

/** The database connections for everything but reports, from the configuration. */
export function databaseOptions(config: BillingConfig): DataSourceOptions {
  return billingDataSourceOptions({
    url: config.BILLING_DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    entities,
    prepareStatements: config.BILLING_PREPARED_STATEMENTS === 'true',
  });
}

/** Accounts, keys, packs and the ledger. */
@Module({})
export class BillingModule {
  static forRoot(config: BillingConfig, logger: Logger): DynamicModule {
    return {
      module: BillingModule,
      imports: [
        PlatformModule.forRoot(config, logger),
        // Billing sends no requests; it only broadcasts key changes to the gateways.
        TransportModule.forRoot({ service: 'billing', callsServices: [] }),
        DatabaseModule.forRootAsync({ useFactory: databaseOptions }),
        ...features,
      ],
    };
  }
}
