import { ServiceClient } from '@app/transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { AccountsMessages } from './accounts/accounts.messages.js';
import { AccountsService } from './accounts/accounts.service.js';
import { AdjustmentsMessages } from './adjustments/adjustments.messages.js';
import { AdjustmentsService } from './adjustments/adjustments.service.js';
import { AgreementsMessages } from './agreements/agreements.messages.js';
import { AgreementsService } from './agreements/agreements.service.js';
import { DueGrantsStep } from './agreements/due-grants.step.js';
import { ApiKeysMessages } from './api-keys/api-keys.messages.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { AuditMessages } from './audit/audit.messages.js';
import { AuditService } from './audit/audit.service.js';
import { ChargeMessages } from './ledger/charge.messages.js';
import { ChargeService } from './ledger/charge.service.js';
import { LEDGER_OPTIONS, type LedgerOptions } from './ledger/ledger-options.js';
import { PurchasesMessages } from './purchases/purchases.messages.js';
import { PurchasesService } from './purchases/purchases.service.js';
import { StatementsMessages } from './statements/statements.messages.js';
import { StatementsService } from './statements/statements.service.js';
import { ExpiredLotsStep } from './sweep/expired-lots.step.js';
import { OldTombstonesStep } from './sweep/old-tombstones.step.js';
import { OverdueChargesStep } from './sweep/overdue-charges.step.js';
import { SWEEP_STEPS, type SweepStep } from './sweep/sweep-step.js';
import { SweepService } from './sweep/sweep.service.js';
import { UsageMessages } from './usage/usage.messages.js';
import { UsageService } from './usage/usage.service.js';

export interface BillingParts {
  readonly dataSource: DataSource;
  readonly services: ServiceClient;
  readonly options: LedgerOptions;
}

const controllers = [
  AccountsMessages,
  AdjustmentsMessages,
  AgreementsMessages,
  ApiKeysMessages,
  AuditMessages,
  ChargeMessages,
  PurchasesMessages,
  StatementsMessages,
  UsageMessages,
];
const services = [
  AccountsService,
  AdjustmentsService,
  AgreementsService,
  ApiKeysService,
  AuditService,
  ChargeService,
  PurchasesService,
  StatementsService,
  UsageService,
];
const steps = [OverdueChargesStep, ExpiredLotsStep, DueGrantsStep, OldTombstonesStep];

/** Accounts, keys, packs and the ledger. */
@Module({})
export class BillingModule {
  static register(parts: BillingParts): DynamicModule {
    return {
      module: BillingModule,
      controllers,
      providers: [
        { provide: getDataSourceToken(), useValue: parts.dataSource },
        { provide: ServiceClient, useValue: parts.services },
        { provide: LEDGER_OPTIONS, useValue: parts.options },
        ...services,
        ...steps,
        { provide: SWEEP_STEPS, useFactory: (...all: SweepStep[]) => all, inject: steps },
        SweepService,
      ],
    };
  }
}
