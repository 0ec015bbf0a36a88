import { ownOrigin } from '#http';
import { CONFIG } from '#platform';
import { Global, Module } from '@nestjs/common';
import { type WebsiteConfig } from './website-config.js';

/** Injection token of the origin of the website, as people write it. */
export const SITE_ORIGIN = Symbol('SITE_ORIGIN');

/** Injection token of the origin of the API, as customers write it. */
export const API_ORIGIN = Symbol('API_ORIGIN');

/** `SITE_URL`, else the address on which the website listens. */
export function siteOrigin(config: WebsiteConfig): string {
  return config.SITE_URL ?? ownOrigin(config.SITE_HOST, config.SITE_PORT, config);
}

const apiOrigin = (config: WebsiteConfig): string => config.PUBLIC_URL ?? siteOrigin(config);

/** Provides both origins to every module. */
@Global()
@Module({
  providers: [
    { provide: SITE_ORIGIN, inject: [CONFIG], useFactory: siteOrigin },
    { provide: API_ORIGIN, inject: [CONFIG], useFactory: apiOrigin },
  ],
  exports: [SITE_ORIGIN, API_ORIGIN],
})
export class OriginsModule {}
