import { serviceNames } from '@app/contracts';
import { ConfigModule, HealthModule, LoggerModule, MetricsModule } from '@app/platform';
import { TransportModule } from '@app/transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, RouterModule } from '@nestjs/core';
import { AccountPagesModule } from '../account-pages/account-pages.module.js';
import { SiteModule } from '../account-pages/site.module.js';
import { AdmissionModule } from '../admission/admission.module.js';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { BodiesModule } from '../bodies/bodies.module.js';
import { ConnectionsModule } from '../connections/connections.module.js';
import { ErrorFilter } from '../errors/error.filter.js';
import { type AppOptions } from '../http/server/app-options.js';
import { publicPrefix } from '../http/server/public-prefix.js';
import { PaymentEventsModule } from '../payment-events/payment-events.module.js';
import { ReferenceModule } from '../reference/reference.module.js';
import { ShutdownModule } from '../shutdown/shutdown.module.js';
import { StrangersModule } from '../strangers/strangers.module.js';
import { PublicApiModule } from './public-api.module.js';
import { Readiness } from './readiness.js';

/** The application behind the public port, and the internal port of the process. */
@Module({})
export class PublicAppModule {
  static forRoot({ config, logger, shutdown }: AppOptions): DynamicModule {
    return {
      module: PublicAppModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggerModule.forRoot(logger),
        HealthModule,
        MetricsModule,
        ShutdownModule.forRoot(shutdown),
        // Without Redis, clients get our 503, so the load balancer should still route to this gateway.
        TransportModule.forRoot({ service: 'gateway', asks: serviceNames, isReadyWithoutRedis: true }),
        AdmissionModule,
        AuthenticationModule,
        BodiesModule,
        ConnectionsModule,
        PaymentEventsModule,
        PublicApiModule,
        SiteModule,
        StrangersModule,
        RouterModule.register([{ path: publicPrefix, module: PublicApiModule }]),
        ...(config.MCP === 'on' ? [mcpModule()] : []),
        ...(config.ACCOUNT_PAGES === 'on' ? [AccountPagesModule] : []),
        ...(config.API_REFERENCE === 'on' ? [ReferenceModule] : []),
      ],
      providers: [Readiness, { provide: APP_FILTER, useClass: ErrorFilter }],
    };
  }
}

/** Loads its library, which takes a moment, only where it is served. */
async function mcpModule(): Promise<DynamicModule> {
  const { McpModule } = await import('../mcp/mcp.module.js');
  return { module: McpModule };
}
