import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { PUBLIC_ORIGIN } from '../../config/public-origin.js';
import { pagePaths } from './page-paths.js';

interface AccountLinksConfig {
  readonly ACCOUNT_PAGES: string;
}

/** Links in API errors for people who need a key or credits: whole URLs, `undefined` without account pages. */
@Injectable()
export class AccountLinks {
  readonly keys: string | undefined;
  readonly buy: string | undefined;

  constructor(@Inject(CONFIG) config: AccountLinksConfig, @Inject(PUBLIC_ORIGIN) origin: string) {
    if (config.ACCOUNT_PAGES !== 'on') return;
    this.keys = origin + pagePaths.keys;
    this.buy = origin + pagePaths.buy;
  }

  /** Follows a sentence about a key; empty without account pages. */
  get keysHint(): string {
    return this.keys === undefined ? '' : ` Your keys are at ${this.keys}`;
  }
}
