import { CONFIG, createLogger, LOGGER } from '#platform';
import { getTransactionRunnerToken, TransactionRunner } from '#platform/database';
import { RedisServer, ServiceClient } from '#transport';
import { type DynamicModule, type InjectionToken, Module, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { features } from './billing.module.js';
import { reportsPool } from './database/data-source.js';
import { ReportsInProgress } from './reports/common/reports-limit.interceptor.js';
import { ReportsPoolModule } from './reports/common/reports-pool.module.js';
import { LEDGER_OPTIONS, type LedgerOptions } from './ledger/rules/ledger-options.js';
import { SELLING_OPTIONS, type SellingOptions } from './orders/provider/selling-options.js';

/** Resolves any provider of a replica's modules. */
export interface ComposedBilling {
  get<Provider>(type: Type<Provider>): Provider;
}

export interface Connections {
  readonly dataSource: DataSource;
  readonly reports: DataSource;
  readonly options: LedgerOptions;
  /** Default: selling is off. */
  readonly selling?: SellingOptions;
  /** Default: none; then providers that need one can't be resolved. */
  readonly client?: ServiceClient;
  /** What is given in place of a provider. */
  readonly overrides?: ReadonlyMap<InjectionToken, unknown>;
}

export const sellingOff: SellingOptions = {
  secretKey: '',
  webhookSecret: '',
  checkoutUrl: 'https://checkout.stripe.com',
  apiUrl: '',
  reconciliationPeriodMs: 3_600_000,
};

@Module({})
class OpenConnections {
  static of({ dataSource, reports, options, client }: Connections): DynamicModule {
    const providers = [
      { provide: getDataSourceToken(), useValue: dataSource },
      { provide: getDataSourceToken(reportsPool), useValue: reports },
      { provide: TransactionRunner, useValue: new TransactionRunner(dataSource) },
      { provide: getTransactionRunnerToken(reportsPool), useValue: new TransactionRunner(reports) },
      { provide: CONFIG, useValue: options },
      { provide: LOGGER, useValue: createLogger({ service: 'billing', level: 'silent', pretty: false }) },
      { provide: ServiceClient, useValue: client ?? {} },
      { provide: RedisServer, useValue: {} },
    ];
    return { module: OpenConnections, global: true, providers, exports: providers };
  }
}

@Module({ providers: [ReportsInProgress], exports: [ReportsInProgress] })
class OpenReports {}

/** All modules of billing on connections that are open already. No background work is started. */
export async function composeBilling(connections: Connections): Promise<ComposedBilling> {
  const building = Test.createTestingModule({
    imports: [OpenConnections.of(connections), ...features],
  })
    .overrideModule(ReportsPoolModule)
    .useModule(OpenReports)
    .overrideProvider(LEDGER_OPTIONS)
    .useValue(connections.options)
    .overrideProvider(SELLING_OPTIONS)
    .useValue(connections.selling ?? sellingOff);
  for (const [token, value] of connections.overrides ?? []) building.overrideProvider(token).useValue(value);
  const billing = await building.compile();
  return { get: (type) => billing.get(type, { strict: false }) };
}
