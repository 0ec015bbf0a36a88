import { enterpriseTermsMin, type ErrorDetails, fixedPacks, type PackName, type PackView } from '#contracts';

const { credits: enterpriseCreditsMin, centsPerCredit: enterpriseCentsPerCreditMin } = enterpriseTermsMin;
/** Catches typing errors, far above any real purchase. */
const enterpriseCreditsMax = 100_000_000;

export interface PackOrder {
  readonly pack: PackName;
  readonly credits?: number | undefined;
  readonly price_cents?: number | undefined;
}

export type PackTerms =
  | { readonly ok: true; readonly credits: number; readonly priceCents: number }
  | { readonly ok: false; readonly details: ErrorDetails };

/** The terms of a purchase: the fixed ones of its pack, or for Enterprise the agreed ones, within their bounds. */
export function termsOf({ pack, credits, price_cents }: PackOrder): PackTerms {
  if (pack !== 'enterprise') {
    const details = {
      ...(credits === undefined ? {} : { credits: [`credits is fixed for the ${pack} pack; leave it out`] }),
      ...(price_cents === undefined
        ? {}
        : { price_cents: [`price_cents is fixed for the ${pack} pack; leave it out`] }),
    };
    return Object.keys(details).length > 0 ? { ok: false, details } : { ok: true, ...fixedPacks[pack] };
  }
  return enterpriseTerms(credits, price_cents);
}

/** The rule of the Enterprise pack, for purchases and for agreements. */
export function enterpriseTerms(credits: number | undefined, priceCents: number | undefined): PackTerms {
  const details: ErrorDetails = {};
  if (credits === undefined || credits < enterpriseCreditsMin || credits > enterpriseCreditsMax) {
    details.credits = [`credits must be an integer from ${enterpriseCreditsMin} to ${enterpriseCreditsMax}`];
  }
  if (priceCents === undefined) {
    details.price_cents = ['price_cents is required for the enterprise pack'];
  } else if (credits !== undefined && priceCents < credits * enterpriseCentsPerCreditMin) {
    details.price_cents = [`price_cents must be at least ${enterpriseCentsPerCreditMin} for each credit`];
  }
  if (credits === undefined || priceCents === undefined || Object.keys(details).length > 0) {
    return { ok: false, details };
  }
  return { ok: true, credits, priceCents };
}

/** The price list. */
export function listedPacks(): PackView[] {
  const fixed = Object.entries(fixedPacks).map(([pack, { credits, priceCents }]) => ({
    pack: pack as PackName,
    credits,
    price_cents: priceCents,
    price_cents_per_credit_min: Math.round(priceCents / credits),
    credits_are_minimum: false,
  }));
  const enterprise: PackView = {
    pack: 'enterprise',
    credits: enterpriseCreditsMin,
    price_cents: null,
    price_cents_per_credit_min: enterpriseCentsPerCreditMin,
    credits_are_minimum: true,
  };
  return [...fixed, enterprise];
}

/**
 * The due date number `index` (0 is the start itself) of an agreement: every month on the day and at the time of its
 * start, in UTC; in a shorter month on its last day. Always counted from the start, so a 31st stays a 31st.
 */
export function dueDate(startsAt: Date, index: number): Date {
  const year = startsAt.getUTCFullYear();
  const month = startsAt.getUTCMonth() + index;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const due = new Date(startsAt);
  due.setUTCFullYear(year, month, Math.min(startsAt.getUTCDate(), lastDay));
  return due;
}
