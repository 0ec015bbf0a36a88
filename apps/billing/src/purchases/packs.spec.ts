import fc from 'fast-check';
import { listedPacks, termsOf } from './packs.js';

describe('packs (spec 2.4)', () => {
  it.each([
    ['trial', 50, 1_900],
    ['builder', 500, 14_900],
    ['scale', 2_500, 59_900],
  ] as const)('%s: %i credits for %i cents', (pack, credits, priceCents) => {
    expect(termsOf({ pack })).toEqual({ ok: true, credits, priceCents });
  });

  it.each(['trial', 'builder', 'scale'] as const)("%s: its credits and price can't be chosen", (pack) => {
    const credits = [`credits is fixed for the ${pack} pack; leave it out`];
    const price_cents = [`price_cents is fixed for the ${pack} pack; leave it out`];
    expect(termsOf({ pack, credits: 50 })).toEqual({ ok: false, details: { credits } });
    expect(termsOf({ pack, price_cents: 1_900 })).toEqual({ ok: false, details: { price_cents } });
    const both = { ok: false, details: { credits, price_cents } };
    expect(termsOf({ pack, credits: 50, price_cents: 1_900 })).toEqual(both);
  });

  it('enterprise: 10,000 credits or more, 18 cents each or more, and nothing else', () => {
    const anyTerms = fc.record({ credits: fc.nat(200_000_000), price_cents: fc.nat() });
    fc.assert(
      fc.property(anyTerms, ({ credits, price_cents }) => {
        const allowed = credits >= 10_000 && credits <= 100_000_000 && price_cents >= credits * 18;
        expect(termsOf({ pack: 'enterprise', credits, price_cents }).ok).toBe(allowed);
      }),
    );
    expect(termsOf({ pack: 'enterprise', credits: 10_000, price_cents: 180_000 }).ok).toBe(true);
    expect(termsOf({ pack: 'enterprise', credits: 10_000, price_cents: 179_999 }).ok).toBe(false);
    expect(termsOf({ pack: 'enterprise', credits: 9_999, price_cents: 1_000_000 }).ok).toBe(false);
    for (const price_cents of [180_000.5, Number.NaN, 100_000_000_001]) {
      expect(termsOf({ pack: 'enterprise', credits: 10_000, price_cents }).ok).toBe(false);
    }
    expect(termsOf({ pack: 'enterprise', credits: 10_000.5, price_cents: 190_000 }).ok).toBe(false);
    const most = { credits: 100_000_000, price_cents: 100_000_000_000 };
    expect(termsOf({ pack: 'enterprise', ...most }).ok).toBe(true);
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
    [
      { credits: 10_000, price_cents: 0.5 },
      undefined,
      ['price_cents must be an integer of at most 100000000000'],
    ],
  ])('says what is wrong with the enterprise terms %j', (terms, credits, price_cents) => {
    const details = { ...(credits && { credits }), ...(price_cents && { price_cents }) };
    expect(termsOf({ pack: 'enterprise', ...terms })).toEqual({ ok: false, details });
  });

  it('marks the packs whose credits are a minimum', () => {
    const minimum = listedPacks().filter(({ credits_are_minimum }) => credits_are_minimum);
    expect(minimum.map(({ pack }) => pack)).toEqual(['enterprise']);
  });

  it('lists prices per credit as the specification does', () => {
    expect(listedPacks().map((pack) => [pack.pack, pack.credits, pack.price_cents_per_credit_min])).toEqual([
      ['trial', 50, 38],
      ['builder', 500, 30],
      ['scale', 2_500, 24],
      ['enterprise', 10_000, 18],
    ]);
  });
});
