import { type PriceOptions } from '@app/checkout';
import { type StripeAccess } from './stripe-client.js';

/** Injection token of `SellingOptions`. */
export const SELLING_OPTIONS = Symbol('SELLING_OPTIONS');

/** How packs are sold; from the configuration of the service. */
export interface SellingOptions extends StripeAccess, PriceOptions {
  readonly webhookSecret: string;
  /** The origin of the pages on which buyers pay. */
  readonly checkoutUrl: string;
  readonly reconciliationPeriodMs: number;
}
