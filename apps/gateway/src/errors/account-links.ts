import { accountPaths } from '#contracts';
import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type GatewayConfig } from '../config/gateway-config.js';

/** Links in errors for people who need a key or credits: whole URLs, `undefined` where there is no website. */
@Injectable()
export class AccountLinks {
  readonly keys: string | undefined;
  readonly buy: string | undefined;

  constructor(@Inject(CONFIG) { SITE_URL }: Pick<GatewayConfig, 'SITE_URL'>) {
    if (SITE_URL === undefined) return;
    this.keys = SITE_URL + accountPaths.keys;
    this.buy = SITE_URL + accountPaths.buy;
  }

  /** Follows a sentence about a key; empty without a website. */
  get keysHint(): string {
    return this.keys === undefined ? '' : ` Your keys are at ${this.keys}`;
  }
}
