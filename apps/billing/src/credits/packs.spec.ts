import fc from 'fast-check';
import { dueDate, listedPacks, termsOf } from './packs.js';

describe('packs', () => {
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
  ])('says what is wrong with the enterprise terms %j', (terms, credits, price_cents) => {
    const details = { ...(credits && { credits }), ...(price_cents && { price_cents }) };
    expect(termsOf({ pack: 'enterprise', ...terms })).toEqual({ ok: false, details });
  });

  it('marks the packs whose credits are a minimum', () => {
    const minimum = listedPacks().filter(({ credits_are_minimum }) => credits_are_minimum);
    expect(minimum.map(({ pack }) => pack)).toEqual(['enterprise']);
  });

  it('lists prices per credit', () => {
    expect(listedPacks().map((pack) => [pack.pack, pack.credits, pack.price_cents_per_credit_min])).toEqual([
      ['trial', 50, 38],
      ['builder', 500, 30],
      ['scale', 2_500, 24],
      ['enterprise', 10_000, 18],
    ]);
  });
});

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A calendar on foot, one month at a time. */
function naiveDueDate(start: string, index: number): string {
  let year = Number(start.slice(0, 4));
  let month = Number(start.slice(5, 7));
  for (let step = 0; step < index; step += 1) {
    month += 1;
    if (month === 13) [year, month] = [year + 1, 1];
  }
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const last = month === 2 && leap ? 29 : (daysInMonth[month - 1] ?? 0);
  const day = Math.min(Number(start.slice(8, 10)), last);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${pad(month)}-${pad(day)}${start.slice(10)}`;
}

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

  it('agrees with a naive calendar', () => {
    const starts = fc.date({
      min: new Date('2000-01-01T00:00:00Z'),
      max: new Date('2090-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(starts, fc.nat(120), (start, index) => {
        expect(dueDate(start, index).toISOString()).toBe(naiveDueDate(start.toISOString(), index));
      }),
    );
  });
});
