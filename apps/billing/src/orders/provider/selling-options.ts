import { type StripeAccess } from './stripe-client.js';

/** Injection token of `SellingOptions`. */
export const SELLING_OPTIONS = Symbol('SELLING_OPTIONS');

/** How packs are sold; from the configuration of the service. */
export interface SellingOptions extends StripeAccess {
  readonly webhookSecret: string;
  /** The origin of the pages on which buyers pay. */
  readonly checkoutUrl: string;
  readonly reconciliationPeriodMs: number;
}
