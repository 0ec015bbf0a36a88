import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { PUBLIC_ORIGIN } from '../../config/public-origin.js';
import { pagePaths } from './page-paths.js';

interface AccountLinksConfig {
  readonly ACCOUNT_PAGES: string;
  readonly SALES_EMAIL?: string;
}

/** Links in API errors for people who need a key or credits: whole URLs, `undefined` without account pages. */
@Injectable()
export class AccountLinks {
  readonly keys: string | undefined;
  readonly buy: string | undefined;
  private readonly contact: string | undefined;

  constructor(@Inject(CONFIG) config: AccountLinksConfig, @Inject(PUBLIC_ORIGIN) origin: string) {
    this.contact = config.SALES_EMAIL;
    if (config.ACCOUNT_PAGES !== 'on') return;
    this.keys = origin + pagePaths.keys;
    this.buy = origin + pagePaths.buy;
  }

  /** Why the keys of an account are disabled although they are switched on, and what can be done. */
  get stopped(): string {
    const buying = this.buy === undefined ? [] : [`buy credits at ${this.buy}`];
    const contacting =
      this.contact === undefined ? 'contact the operator of this service' : `contact ${this.contact}`;
    return (
      "The API keys of this account are disabled: the payment for credits that were used was reversed by the buyer's bank. " +
      `To enable them again, ${[...buying, contacting].join(' or ')}.`
    );
  }

  /** Follows a sentence about a key; empty without account pages. */
  get keysHint(): string {
    return this.keys === undefined ? '' : ` Your keys are at ${this.keys}`;
  }
}
