import { propertyRuns } from '@app/testing/random';
import fc from 'fast-check';
import {
  allocate,
  availableCredits,
  isExpired,
  type Lot,
  type LotAllocation,
  byPurchase,
  lotOrder,
} from './allocate.js';

const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;
const at = new Date('2025-06-01T00:00:00.000Z');

function lotOf(id: string, ageMs: number, remaining: number): Lot {
  const purchasedAt = new Date(at.getTime() - ageMs);
  return { id, purchasedAt, expiresAt: new Date(purchasedAt.getTime() + lifetimeMs), remaining };
}

/** Ages on both sides of the expiry and equal ones among them. */
const ages = fc.oneof(
  fc.nat(5),
  fc.integer({ min: 0, max: 2 * lifetimeMs }),
  fc.integer({ min: lifetimeMs - 2, max: lifetimeMs + 2 }),
);
const lots = fc
  .uniqueArray(fc.uuid(), { maxLength: 12 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) => fc.tuple(ages, fc.nat(20)).map(([age, remaining]) => lotOf(id, age, remaining))),
    ),
  );

function after(before: readonly Lot[], fromLots: readonly LotAllocation[], sign: 1 | -1): Lot[] {
  return before.map((lot) => {
    const moved = fromLots
      .filter(({ lotId }) => lotId === lot.id)
      .reduce((sum, { credits }) => sum + credits, 0);
    return { ...lot, remaining: lot.remaining + sign * moved };
  });
}

describe('allocate', () => {
  it('takes from the oldest lot first and goes on to the next', () => {
    const given = [lotOf('b', 1_000, 5), lotOf('a', 2_000, 2), lotOf('c', 500, 9)];
    expect(allocate(given, 4, at)).toEqual({
      outcome: 'allocated',
      fromLots: [
        { lotId: 'a', credits: 2 },
        { lotId: 'b', credits: 2 },
      ],
    });
  });

  it('treats a lot as expired at expires_at, and not a millisecond before', () => {
    const lot = lotOf('a', lifetimeMs, 5);
    expect(isExpired(lot, at)).toBe(true);
    expect(allocate([lot], 1, at)).toEqual({ outcome: 'insufficient', available: 0 });
    expect(allocate([lot], 5, new Date(at.getTime() - 1)).outcome).toBe('allocated');
  });

  it('takes nothing when the balance is lower than the cost', () => {
    expect(allocate([lotOf('a', 0, 3), lotOf('b', 1, 1)], 5, at)).toEqual({
      outcome: 'insufficient',
      available: 4,
    });
  });

  it('takes exactly the cost when it is there and never more than a lot has, never from an expired or empty one', () => {
    fc.assert(
      fc.property(lots, fc.nat(120), (given, cost) => {
        const allocation = allocate(given, cost, at);
        const available = availableCredits(given, at);
        if (allocation.outcome === 'insufficient') {
          expect(available).toBeLessThan(cost);
          expect(allocation.available).toBe(available);
          return;
        }
        expect(allocation.fromLots.reduce((sum, { credits }) => sum + credits, 0)).toBe(cost);
        for (const part of allocation.fromLots) {
          const lot = given.find(({ id }) => id === part.lotId);
          expect(lot && !isExpired(lot, at)).toBe(true);
          expect(part.credits).toBeGreaterThan(0);
          expect(part.credits).toBeLessThanOrEqual(lot?.remaining ?? 0);
        }
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('empties every older unexpired lot before it touches a younger one', () => {
    fc.assert(
      fc.property(lots, fc.nat(120), (given, cost) => {
        const allocation = allocate(given, cost, at);
        if (allocation.outcome === 'insufficient') return;
        const left = after(given, allocation.fromLots, -1).filter((lot) => !isExpired(lot, at));
        const youngest = left
          .filter(({ id }) => allocation.fromLots.some(({ lotId }) => lotId === id))
          .sort(byPurchase)
          .at(-1);
        for (const lot of left) {
          if (youngest && byPurchase(lot, youngest) < 0) expect(lot.remaining).toBe(0);
        }
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('does not depend on the order in which it gets the lots, and changes none of them', () => {
    fc.assert(
      fc.property(
        lots.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
        ),
        fc.nat(120),
        ([given, shuffled], cost) => {
          const before = structuredClone(shuffled);
          expect(allocate(shuffled, cost, at)).toEqual(allocate(given, cost, at));
          expect(shuffled).toEqual(before);
        },
      ),
    );
  });

  it('leaves the same lots after many charges as after one of their sum', () => {
    fc.assert(
      fc.property(lots, fc.array(fc.nat(15), { maxLength: 8 }), (given, costs) => {
        const sum = costs.reduce((total, cost) => total + cost, 0);
        const once = allocate(given, sum, at);
        if (once.outcome === 'insufficient') return;
        let left: Lot[] = given;
        for (const cost of costs) {
          const allocation = allocate(left, cost, at);
          if (allocation.outcome === 'insufficient') {
            throw new Error('a part of an affordable sum is not affordable');
          }
          left = after(left, allocation.fromLots, -1);
        }
        expect(left).toEqual(after(given, once.fromLots, -1));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it('is undone exactly by giving the parts of any charges back in any order', () => {
    fc.assert(
      fc.property(
        lots,
        fc.array(fc.nat(15), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (given, costs, order) => {
          let left: Lot[] = given;
          const taken: LotAllocation[][] = [];
          for (const cost of costs) {
            const allocation = allocate(left, cost, at);
            if (allocation.outcome === 'insufficient') continue;
            taken.push(allocation.fromLots);
            left = after(left, allocation.fromLots, -1);
          }
          while (taken.length > 0) {
            const [fromLots = []] = taken.splice((order.next().value ?? 0) % taken.length, 1);
            left = after(left, fromLots, 1);
          }
          expect(left).toEqual(given);
        },
      ),
      { numRuns: propertyRuns(400) },
    );
  });
});

describe('the order of lots', () => {
  const first = { id: 'a', purchasedAt: new Date(1_000) };
  const sameInstant = { id: 'b', purchasedAt: new Date(1_000) };
  const later = { id: '0', purchasedAt: new Date(1_001) };

  it('is by purchase, then by id', () => {
    expect([later, sameInstant, first].sort(byPurchase)).toEqual([first, sameInstant, later]);
    expect([byPurchase(first, sameInstant), byPurchase(sameInstant, first)]).toEqual([-1, 1]);
    expect([byPurchase(first, later), byPurchase(later, first)]).toEqual([-1, 1]);
  });

  it('puts a lot neither before nor after itself', () => {
    expect(byPurchase(first, { ...first })).toBe(0);
  });

  it('is the same in SQL', () => {
    expect(lotOrder('lots')).toBe('lots.purchased_at, lots.id');
  });
});
