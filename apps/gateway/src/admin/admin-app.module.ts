import { serviceNames } from '@app/contracts';
import { SettingsModule } from '@app/platform';
import { TransportModule } from '@app/transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from '../errors/error.filter.js';
import { type AppOptions } from '../edge/http-server.js';
import { ShutdownModule } from '../shutdown/graceful-shutdown.js';
import { ShapePipe } from '../validation/shape.pipe.js';
import { AdminApiModule } from './admin-api.module.js';

/** The application behind the admin port. */
@Module({})
export class AdminAppModule {
  static forRoot({ config, logger, shutdown }: AppOptions): DynamicModule {
    return {
      module: AdminAppModule,
      imports: [
        SettingsModule.forRoot(config, logger),
        ShutdownModule.forRoot(shutdown),
        TransportModule.forClient({ asks: serviceNames }),
        AdminApiModule,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: ShapePipe },
      ],
    };
  }
}
