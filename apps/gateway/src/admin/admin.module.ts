import { Module, type DynamicModule } from '@nestjs/common';
import { ServiceClient } from '@app/transport';
import { AccountsController } from './accounts/accounts.controller.js';
import { AdjustmentsController } from './adjustments/adjustments.controller.js';
import { adminOptions, type AdminOptions } from './admin.options.js';
import { AgreementsController } from './agreements/agreements.controller.js';
import { CreatorsController } from './creators/creators.controller.js';
import { ImportCreatorsController } from './import/import-creators.controller.js';
import { ImportCreatorsService } from './import/import-creators.service.js';
import { KeysController } from './keys/keys.controller.js';
import { LedgerController } from './ledger/ledger.controller.js';
import { StatementController } from './ledger/statement.controller.js';
import { PurchasesController } from './purchases/purchases.controller.js';

/** The admin API. It shares the process's connection to the services with the public API, and nothing else. */
@Module({})
export class AdminModule {
  static register(services: ServiceClient, options: AdminOptions): DynamicModule {
    return {
      module: AdminModule,
      controllers: [
        AccountsController,
        KeysController,
        PurchasesController,
        AgreementsController,
        AdjustmentsController,
        LedgerController,
        StatementController,
        ImportCreatorsController,
        CreatorsController,
      ],
      providers: [
        { provide: ServiceClient, useValue: services },
        { provide: adminOptions, useValue: options },
        ImportCreatorsService,
      ],
    };
  }
}
