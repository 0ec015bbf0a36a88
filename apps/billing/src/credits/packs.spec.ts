import { ServiceError } from '#contracts';
import fc from 'fast-check';
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

describe('packs', () => {
  it("have credits and a price that can't be chosen", () => {
    const credits = ['credits is fixed for the trial pack; leave it out'];
    const price_cents = ['price_cents is fixed for the trial pack; leave it out'];
    expect(refusal({ pack: 'trial', credits: 50 })).toEqual({ credits });
    expect(refusal({ pack: 'trial', credits: 50, price_cents: 1_900 })).toEqual({ credits, price_cents });
  });

  it('enterprise: 10,000 credits or more, 18 cents each or more, and nothing else', () => {
    const anyTerms = fc.record({ credits: fc.nat(200_000_000), price_cents: fc.nat() });
    fc.assert(
      fc.property(anyTerms, ({ credits, price_cents }) => {
        const allowed = credits >= 10_000 && credits <= 100_000_000 && price_cents >= credits * 18;
        expect(refusal({ pack: 'enterprise', credits, price_cents }) === undefined).toBe(allowed);
      }),
    );
    const least = { credits: 10_000, price_cents: 180_000 };
    const most = { credits: 100_000_000, price_cents: 100_000_000_000 };
    for (const terms of [least, most]) expect(refusal({ pack: 'enterprise', ...terms })).toBeUndefined();
    for (const terms of [{ credits: 9_999 }, { price_cents: 179_999 }]) {
      expect(refusal({ pack: 'enterprise', ...least, ...terms })).toBeDefined();
    }
  });

  it.each([
    [
      {},
      ['credits must be an integer from 10000 to 100000000'],
      ['price_cents is required for the enterprise pack'],
    ],
    [{ price_cents: 180_000 }, ['credits must be an integer from 10000 to 100000000'], undefined],
    [{ credits: 10_000 }, undefined, ['price_cents is required for the enterprise pack']],
    [{ credits: 10_000, price_cents: 1 }, undefined, ['price_cents must be at least 18 for each credit']],
  ])('says what is wrong with the enterprise terms %j', (terms, credits, price_cents) => {
    const details = { ...(credits && { credits }), ...(price_cents && { price_cents }) };
    expect(refusal({ pack: 'enterprise', ...terms })).toEqual(details);
  });

  it('are listed with their price per credit; only the credits of Enterprise are a minimum', () => {
    const listed = listedPacks().map((pack) => [
      pack.pack,
      pack.credits,
      pack.price_cents_per_credit_min,
      pack.credits_are_minimum,
    ]);
    expect(listed).toEqual([
      ['trial', 50, 38, false],
      ['builder', 500, 30, false],
      ['scale', 2_500, 24, false],
      ['enterprise', 10_000, 18, true],
    ]);
  });
});

describe('dueDate', () => {
  it.each([
    ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z'],
    ['2023-01-31T10:00:00.000Z', 1, '2023-02-28T10:00:00.000Z'],
    ['2024-01-31T10:00:00.000Z', 2, '2024-03-31T10:00:00.000Z'],
    ['2024-10-31T23:59:59.999Z', 1, '2024-11-30T23:59:59.999Z'],
    ['2024-12-15T00:00:00.000Z', 1, '2025-01-15T00:00:00.000Z'],
    ['2024-05-05T05:05:05.000Z', 0, '2024-05-05T05:05:05.000Z'],
  ])('%s, month %i: %s', (start, index, due) => {
    expect(dueDate(new Date(start), index).toISOString()).toBe(due);
  });
});
