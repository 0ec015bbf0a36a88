import { ServiceError } from '#contracts';
import { dueDate, listedPacks, type PackOrder, termsOf } from './packs.js';

/** What is wrong with an order, if anything. */
function refusal(order: PackOrder): unknown {
  try {
    termsOf(order);
    return undefined;
  } catch (error) {
    return error instanceof ServiceError ? error.details : error;
  }
}

it('the terms of a purchase are those of its pack, or the agreed ones of Enterprise', () => {
  expect(termsOf({ pack: 'trial' })).toEqual({ credits: 50, priceCents: 1_900 });
  const agreed = termsOf({ pack: 'enterprise', credits: 10_000, price_cents: 180_000 });
  expect(agreed).toEqual({ credits: 10_000, priceCents: 180_000 });
});

it("packs have credits and a price that can't be chosen", () => {
  const credits = ['credits is fixed for the trial pack; leave it out'];
  const price_cents = ['price_cents is fixed for the trial pack; leave it out'];
  expect(refusal({ pack: 'trial', credits: 50 })).toEqual({ credits });
  expect(refusal({ pack: 'trial', credits: 50, price_cents: 1_900 })).toEqual({ credits, price_cents });
});

const credits = ['credits must be an integer from 10000 to 100000000'];

it.each([
  [{}, { credits, price_cents: ['price_cents is required for the enterprise pack'] }],
  [{ price_cents: 180_000 }, { credits }],
  [{ credits: 9_999, price_cents: 180_000 }, { credits }],
  [{ credits: 100_000_001, price_cents: 1_800_000_018 }, { credits }],
  [{ credits: 10_000 }, { price_cents: ['price_cents is required for the enterprise pack'] }],
  [
    { credits: 10_000, price_cents: 179_999 },
    { price_cents: ['price_cents must be at least 18 for each credit'] },
  ],
  [{ credits: 10_000, price_cents: 180_000 }, undefined],
  [{ credits: 100_000_000, price_cents: 1_800_000_000 }, undefined],
])('the enterprise terms %j are refused because of %j', (terms, problems) => {
  expect(refusal({ pack: 'enterprise', ...terms })).toEqual(problems);
});

it('the price list has the price per credit; only the credits of Enterprise are a minimum', () => {
  const listed = listedPacks().map((each) => [
    each.credits,
    each.price_cents_per_credit_min,
    each.credits_are_minimum,
  ]);
  expect(listed).toEqual([
    [50, 38, false],
    [500, 30, false],
    [2_500, 24, false],
    [10_000, 18, true],
  ]);
});

it.each([
  ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z'],
  ['2023-01-31T10:00:00.000Z', 1, '2023-02-28T10:00:00.000Z'],
  ['2024-01-31T10:00:00.000Z', 2, '2024-03-31T10:00:00.000Z'],
  ['2024-10-31T23:59:59.999Z', 1, '2024-11-30T23:59:59.999Z'],
  ['2024-12-15T00:00:00.000Z', 1, '2025-01-15T00:00:00.000Z'],
  ['2024-05-05T05:05:05.000Z', 0, '2024-05-05T05:05:05.000Z'],
])('an agreement that starts at %s: month %i is due at %s', (start, index, due) => {
  expect(dueDate(new Date(start), index).toISOString()).toBe(due);
});
