import fc from 'fast-check';
import { ordersMax } from './happenings.fixture.js';

/**
 * How billing comes to know: by any event so far, old or new, for the first time or again; by the buyer's return; by the
 * reconciliation. An event that is never heard is lost, one that is heard later is late.
 */
export type Hearing =
  | { readonly by: 'event'; readonly event: number }
  | { readonly by: 'return page'; readonly order: number }
  | { readonly by: 'reconciliation' };

export const anyHearing: fc.Arbitrary<Hearing> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ by: fc.constant('event' as const), event: fc.nat(200) }) },
  {
    weight: 2,
    arbitrary: fc.record({ by: fc.constant('return page' as const), order: fc.nat(ordersMax - 1) }),
  },
  { weight: 1, arbitrary: fc.constant({ by: 'reconciliation' as const }) },
);
