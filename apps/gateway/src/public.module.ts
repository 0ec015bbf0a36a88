import { type Logger } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeyGuard } from './authentication/api-key.guard.js';
import { Authenticator } from './authentication/authenticator.service.js';
import { KeyCache } from './authentication/key-cache.js';
import { KeyLookUps } from './authentication/key-look-ups.js';
import { TokenBucket } from './authentication/token-bucket.js';
import { KeyEventsController } from './authentication/key-events.controller.js';
import { HAND_OVER_MS, MeteringService } from './charging/metering.service.js';
import { Settler } from './charging/settler.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';
import { SearchRateGuard } from './rate-limit/search-rate.guard.js';
import { GetCreatorProfileController } from './routes/get-creator-profile/get-creator-profile.controller.js';
import { SearchCreatorsController } from './routes/search-creators/search-creators.controller.js';

export interface PublicModuleOptions {
  readonly services: ServiceClient;
  readonly rateLimiter: RateLimiter;
  readonly logger: Logger;
  readonly handOverMs: number;
}

/** The public API v1. */
@Module({})
export class PublicModule {
  static register({ services, rateLimiter, logger, handOverMs }: PublicModuleOptions): DynamicModule {
    return {
      module: PublicModule,
      controllers: [SearchCreatorsController, GetCreatorProfileController, KeyEventsController],
      providers: [
        { provide: ServiceClient, useValue: services },
        { provide: RateLimiter, useValue: rateLimiter },
        { provide: HAND_OVER_MS, useValue: handOverMs },
        { provide: KeyCache, useFactory: () => new KeyCache() },
        { provide: Settler, useFactory: () => new Settler(services, logger) },
        { provide: KeyLookUps, useFactory: () => new KeyLookUps(services, new TokenBucket()) },
        Authenticator,
        ApiKeyGuard,
        SearchRateGuard,
        MeteringService,
      ],
    };
  }
}
