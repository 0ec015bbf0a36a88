import { type Logger } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { ApiKeyGuard } from './authentication/api-key.guard.js';
import { Authenticator } from './authentication/authenticator.service.js';
import { KeyCache } from './authentication/key-cache.js';
import { KeyLookUps } from './authentication/key-look-ups.js';
import { UnknownKeyAllowance } from './authentication/unknown-key-allowance.js';
import { KeyEvents } from './authentication/key-events.messages.js';
import { MeteringService } from './charging/metering.service.js';
import { Settler } from './charging/settler.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';
import { SearchRateGuard } from './rate-limit/search-rate.guard.js';
import { GetCreatorProfileController } from './routes/get-creator-profile/get-creator-profile.controller.js';
import { SearchCreatorsController } from './routes/search-creators/search-creators.controller.js';

export interface PublicParts {
  readonly services: ServiceClient;
  readonly rateLimiter: RateLimiter;
  readonly logger: Logger;
  readonly isDraining?: () => boolean;
}

/** The public API v1. */
@Module({})
export class PublicModule {
  static register({ services, rateLimiter, logger }: PublicParts): DynamicModule {
    return {
      module: PublicModule,
      controllers: [SearchCreatorsController, GetCreatorProfileController, KeyEvents],
      providers: [
        { provide: ServiceClient, useValue: services },
        { provide: RateLimiter, useValue: rateLimiter },
        { provide: KeyCache, useFactory: () => new KeyCache() },
        { provide: Settler, useFactory: () => new Settler(services, logger) },
        { provide: KeyLookUps, useFactory: () => new KeyLookUps(services, new UnknownKeyAllowance()) },
        Authenticator,
        ApiKeyGuard,
        SearchRateGuard,
        MeteringService,
      ],
    };
  }
}
