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

  it.each(['trial', 'builder', 'scale'] as const)('%s takes no terms of its own', (pack) => {
    const terms = termsOf({ pack, credits: 50, price_cents: 1_900 });
    expect(terms).toMatchObject({ ok: false, details: { credits: [expect.anything()] } });
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
    expect(termsOf({ pack: 'enterprise' })).toMatchObject({
      ok: false,
      details: { credits: [expect.anything()], price_cents: [expect.anything()] },
    });
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
