import { serviceNames } from '@app/contracts';
import { ConfigModule, LoggerModule } from '@app/platform';
import { TransportModule } from '@app/transport';
import { type DynamicModule, Module, ValidationPipe } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from '../errors/error.filter.js';
import { type AppOptions } from '../http/server/app-options.js';
import { ShutdownModule } from '../shutdown/shutdown.module.js';
import { AdminApiModule } from './admin-api.module.js';
import { JsonObjectPipe } from './validation/json-object.pipe.js';
import { invalidFields } from './validation/validation-errors.js';

/** Unknown fields are refused. */
const validation = new ValidationPipe({
  transform: true,
  whitelist: true,
  forbidNonWhitelisted: true,
  exceptionFactory: invalidFields,
});

/** The application behind the admin port. */
@Module({})
export class AdminAppModule {
  static forRoot({ config, logger, shutdown }: AppOptions): DynamicModule {
    return {
      module: AdminAppModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggerModule.forRoot(logger),
        ShutdownModule.forRoot(shutdown),
        TransportModule.forClient({ asks: serviceNames }),
        AdminApiModule,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: JsonObjectPipe },
        { provide: APP_PIPE, useValue: validation },
      ],
    };
  }
}
