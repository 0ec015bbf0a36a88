import { type CardPack } from './orders.js';

interface FixedPack {
  readonly credits: number;
  readonly priceCents: number;
}

/** The packs with a fixed price (spec 2.4). */
export const fixedPacks: Readonly<Record<CardPack, FixedPack>> = {
  trial: { credits: 50, priceCents: 1_900 },
  builder: { credits: 500, priceCents: 14_900 },
  scale: { credits: 2_500, priceCents: 59_900 },
};

/** Enterprise is agreed with the customer: at least so many credits, each for at least so many cents. */
export const enterpriseTermsMin = { credits: 10_000, centsPerCredit: 18 } as const;
