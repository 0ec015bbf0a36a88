import {
  enterpriseTermsMin,
  type ErrorDetails,
  fixedPacks,
  type PackName,
  type PackView,
  type PurchaseRequest,
  ServiceError,
} from '#contracts';
import { type Lot } from '../ledger/lots/lot.entity.js';

const { credits: enterpriseCreditsMin, centsPerCredit: enterpriseCentsPerCreditMin } = enterpriseTermsMin;
/** Catches typing errors, far above any real purchase. */
const enterpriseCreditsMax = 100_000_000;

export type PackOrder = Pick<PurchaseRequest, 'pack' | 'credits' | 'price_cents'>;
export type PackTerms = Pick<Lot, 'credits' | 'priceCents'>;

/** The terms of a purchase: the fixed ones of its pack, or for Enterprise the agreed ones, within their bounds. Throws `invalid_request`. */
export function termsOf({ pack, credits, price_cents }: PackOrder): PackTerms {
  if (pack === 'enterprise') return enterpriseTerms(credits, price_cents);
  const given = Object.entries({ credits, price_cents }).filter(([, value]) => value !== undefined);
  const problems = given.map(([name]) => [name, [`${name} is fixed for the ${pack} pack; leave it out`]]);
  if (problems.length > 0) throw notTheTerms(Object.fromEntries(problems) as ErrorDetails);
  return fixedPacks[pack];
}

/** The rule of the Enterprise pack, for purchases and for agreements. Throws `invalid_request`. */
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
    throw notTheTerms(details);
  }
  return { credits, priceCents };
}

function notTheTerms(details: ErrorDetails): ServiceError {
  return new ServiceError('invalid_request', 'These terms do not fit the pack.', { details });
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
