import { NoPayload, toBilling } from '../message.js';

/** The packs that are sold by card, at a fixed price. */
export const cardPacks = ['trial', 'builder', 'scale'] as const;
export type CardPack = (typeof cardPacks)[number];

interface FixedPack {
  readonly credits: number;
  readonly priceCents: number;
}

/** The packs with a fixed price. */
export const fixedPacks: Readonly<Record<CardPack, FixedPack>> = {
  trial: { credits: 50, priceCents: 1_900 },
  builder: { credits: 500, priceCents: 14_900 },
  scale: { credits: 2_500, priceCents: 59_900 },
};

/** The terms of Enterprise are agreed with the customer: at least this many credits, each for at least this many cents. */
export const enterpriseTermsMin = { credits: 10_000, centsPerCredit: 18 } as const;

export const packNames = [...cardPacks, 'enterprise'] as const;
export type PackName = (typeof packNames)[number];
/** `adjustment` marks a lot of goodwill. */
export const lotOrigins = [...packNames, 'adjustment'] as const;
export type LotOrigin = (typeof lotOrigins)[number];

/** A pack on sale. Enterprise has a minimum of credits and a floor price instead of a fixed price. */
export interface PackView {
  readonly pack: PackName;
  readonly credits: number;
  /** Price in US cents; `null`: agreed with the customer. */
  readonly price_cents: number | null;
  /** Lowest price of one credit in US cents. */
  readonly price_cents_per_credit_min: number;
  /** `true` when `credits` is a minimum and the amount is agreed. */
  readonly credits_are_minimum: boolean;
}

/** What an operator took back of a lot whose money was returned. */
export interface LotRefund {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly reason: string;
  readonly reference: string;
  readonly credits_taken_back: number;
  /** Credits that were not there: spent, expired, corrected, or held by calls in progress. */
  readonly credits_not_recovered: number;
}

/** Credits of one purchase, monthly grant or goodwill adjustment. */
export interface LotView {
  readonly id: string;
  readonly pack: LotOrigin;
  readonly credits: number;
  readonly remaining: number;
  readonly price_cents: number;
  readonly purchased_at: string;
  readonly expires_at: string;
  /**
   * The operator's reference of the purchase or adjustment that opened the lot; for a monthly grant
   * `agreement:{id}:{date}`.
   */
  readonly reference: string;
  /** `null`: it was not refunded. Absent for packs bought by card, which have an order. */
  readonly refund?: LotRefund | null;
}

export const listPacks = toBilling<{ readonly packs: PackView[] }>()('list_packs', NoPayload);
