import { ConfigModule, HealthModule, type Logger, LoggerModule, MetricsModule } from '@app/platform';
import { DatabaseModule } from '@app/platform/database';
import { TransportModule } from '@app/transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { type DataSourceOptions } from 'typeorm';
import { AccountsModule } from './accounts/accounts.module.js';
import { AdjustmentsModule } from './adjustments/adjustments.module.js';
import { AgreementsModule } from './agreements/agreements.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BalanceModule } from './balance/balance.module.js';
import { CallsModule } from './calls/calls.module.js';
import { type BillingConfig } from './config/billing-config.js';
import { billingDataSourceOptions } from './database/data-source.js';
import { entities } from './entities.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { MembersModule } from './members/members.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { PurchasesModule } from './purchases/purchases.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { StatementsModule } from './statements/statements.module.js';
import { SignInRulesModule } from './sign-in-rules/sign-in-rules.module.js';
import { SweepModule } from './sweep/sweep.module.js';
import { UsageModule } from './usage/usage.module.js';

/** One module per resource. */
export const features = [
  AccountsModule,
  AdjustmentsModule,
  AgreementsModule,
  ApiKeysModule,
  AuditModule,
  BalanceModule,
  CallsModule,
  InvitationsModule,
  LedgerModule,
  MembersModule,
  OrdersModule,
  NoticesModule,
  PurchasesModule,
  SessionsModule,
  SignInModule,
  SignInRulesModule,
  StatementsModule,
  SweepModule,
  UsageModule,
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
        ConfigModule.forRoot(config),
        LoggerModule.forRoot(logger),
        HealthModule,
        MetricsModule,
        // Billing sends no requests; it only broadcasts key changes to the gateways.
        TransportModule.forRoot({ service: 'billing', asks: [] }),
        DatabaseModule.forRootAsync({ useFactory: databaseOptions }),
        ...features,
      ],
    };
  }
}
