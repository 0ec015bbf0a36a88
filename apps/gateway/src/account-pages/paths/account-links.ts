import { CONFIG } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { publicOrigin, type PublicOriginConfig } from '../../http/server/public-origin.js';
import { pagePaths } from './page-paths.js';

interface AccountLinksConfig extends PublicOriginConfig {
  readonly ACCOUNT_PAGES: string;
}

/** Where the API sends people who need a key or credits: whole addresses, `undefined` without account pages. */
@Injectable()
export class AccountLinks {
  readonly keys: string | undefined;
  readonly buy: string | undefined;

  constructor(@Inject(CONFIG) config: AccountLinksConfig) {
    if (config.ACCOUNT_PAGES !== 'on') return;
    const origin = publicOrigin(config);
    this.keys = origin + pagePaths.keys;
    this.buy = origin + pagePaths.buy;
  }

  /** Goes behind a sentence about a key; empty without account pages. */
  get keysHint(): string {
    return this.keys === undefined ? '' : ` Your keys are at ${this.keys}`;
  }
}
