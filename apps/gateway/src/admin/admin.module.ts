import { serviceNames } from '#contracts';
import { SettingsModule } from '#platform';
import { TransportModule } from '#transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { type AppOptions } from '../edge/http-server.js';
import { RouteMethods } from '../edge/routes.js';
import { ErrorFilter } from '../errors/error.filter.js';
import { ShutdownModule } from '../shutdown/shutdown.js';
import { ShapePipe } from '../validation/shape.pipe.js';
import { AccountsController } from './accounts.controller.js';
import { CreatorsController } from './creators.controller.js';
import { CreditsController } from './credits.controller.js';
import {
  IMPORT_RETRY_DELAYS_MS,
  ImportCreatorsService,
  importRetryDelaysMs,
} from './import/import-creators.service.js';
import { LedgerController } from './ledger.controller.js';
import { AdminAuthenticator } from './operators/admin-authenticator.js';
import {
  AdminLogController,
  AdminTokensController,
  OperatorController,
} from './operators/operators.controller.js';
import { RolesGuard } from './operators/roles.js';
import { OrdersController } from './orders.controller.js';
import { PeopleController } from './people.controller.js';

/** The application behind the admin port. */
@Module({
  controllers: [
    AccountsController,
    CreditsController,
    LedgerController,
    OrdersController,
    PeopleController,
    CreatorsController,
    AdminTokensController,
    AdminLogController,
    OperatorController,
  ],
  providers: [
    AdminAuthenticator,
    RouteMethods,
    ImportCreatorsService,
    { provide: IMPORT_RETRY_DELAYS_MS, useValue: importRetryDelaysMs },
    { provide: APP_GUARD, useClass: RolesGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: ShapePipe },
  ],
})
export class AdminModule {
  static forRoot({ config, logger, shutdown }: AppOptions): DynamicModule {
    return {
      module: AdminModule,
      imports: [
        SettingsModule.forRoot(config, logger),
        ShutdownModule.forRoot(shutdown),
        TransportModule.forClient({ callsServices: serviceNames }),
      ],
    };
  }
}
