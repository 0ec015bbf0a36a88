import { expectEqual, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { allocate, type Allocation, type Lot } from './allocate.js';

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

/** Each credit as an object: the oldest unexpired ones are taken, all or none. */
function allocateNaively(given: readonly Lot[], cost: number): Allocation {
  const credits = given
    .filter(({ expiresAt }) => at < expiresAt)
    .sort((one, other) => +one.purchasedAt - +other.purchasedAt || (one.id < other.id ? -1 : 1))
    .flatMap(({ id, remaining }) => Array.from({ length: remaining }, () => id));
  if (credits.length < cost) return { outcome: 'insufficient', available: credits.length };
  const taken = credits.slice(0, cost);
  const fromLots = [...new Set(taken)].map((lotId) => {
    return { lotId, credits: taken.filter((id) => id === lotId).length };
  });
  return { outcome: 'allocated', fromLots };
}

it('allocation takes the oldest unexpired credits, all or none, in whatever order it gets the lots, and changes none', () => {
  fc.assert(
    fc.property(lots, fc.nat(120), (given, cost) => {
      const before = structuredClone(given);
      expectEqual(allocate(given, cost, at), allocateNaively(given, cost));
      expectEqual(given, before);
    }),
    { numRuns: propertyRuns(1_000) },
  );
});
