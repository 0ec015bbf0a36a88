import { Readiness, ReportsModule } from '#http';
import { serviceNames } from '#contracts';
import { PlatformModule } from '#platform';
import { TransportModule } from '#transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, RouterModule } from '@nestjs/core';
import { EdgeModule } from '../edge/edge.module.js';
import { ErrorFilter } from '../errors/error.filter.js';
import { type AppOptions } from '../edge/http-server.js';
import { McpModule } from '../mcp/mcp.module.js';
import { ReferenceModule } from '../reference/reference.controller.js';
import { ShutdownModule } from '../shutdown/shutdown.js';
import { ShapePipe } from '../validation/shape.pipe.js';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { CreatorsModule } from '../creators/creators.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { NextPageLinks } from '../answers/next-page-links.js';
import { AccountController } from '../routes/account.controller.js';
import { ListFiltersController } from '../routes/list-filters.controller.js';
import { ProfilesController } from '../routes/profiles.controller.js';
import { LookUpAccountsController } from '../routes/look-up-accounts.controller.js';
import { SearchCreatorsController } from '../routes/search-creators.controller.js';

/** Every path of version 1 of the public API is below it. */
const publicPrefix = '/api/public/v1';

/** The operations of the public API v1. */
@Module({
  imports: [AuthenticationModule, ChargingModule, CreatorsModule, RateLimitModule, ReportsModule],
  controllers: [
    SearchCreatorsController,
    ProfilesController,
    AccountController,
    LookUpAccountsController,
    ListFiltersController,
  ],
  providers: [NextPageLinks],
})
export class PublicApiModule {}

/** The application behind the public port, and the internal port of the process. */
@Module({})
export class PublicAppModule {
  static forRoot({ config, logger, shutdown }: AppOptions): DynamicModule {
    return {
      module: PublicAppModule,
      imports: [
        PlatformModule.forRoot(config, logger),
        ShutdownModule.forRoot(shutdown),
        // Without Redis, clients get our 503, so the load balancer should still route to this gateway.
        TransportModule.forRoot({
          service: 'gateway',
          callsServices: serviceNames,
          isReadyWithoutRedis: true,
        }),
        EdgeModule,
        PublicApiModule,
        RouterModule.register([{ path: publicPrefix, module: PublicApiModule }]),
        McpModule,
        ReferenceModule,
      ],
      providers: [
        Readiness,
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_PIPE, useClass: ShapePipe },
      ],
    };
  }
}
