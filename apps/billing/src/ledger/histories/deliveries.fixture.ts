import { randomUUID } from 'node:crypto';
import { type Settlement } from '@app/contracts';
import fc from 'fast-check';

/** One call of a customer, known by its number. */
export interface Hold {
  readonly chargeId: string;
  readonly customer: number;
  readonly credits: number;
}

/** One copy of a message about a hold, for one of the replicas. */
export interface Delivery {
  readonly hold: Hold;
  readonly message: 'charge' | Settlement['outcome'];
  readonly replica: number;
}

/** Holds and the order in which the copies of their messages are delivered. */
export interface Round {
  readonly holds: Hold[];
  readonly deliveries: Delivery[];
}

export const customers = 20;
const copiesMax = 5;
const costMax = 3;

/** The delay of a copy, in holds, and the replica that gets it. */
interface Copy {
  readonly late: number;
  readonly replica: number;
}

const copies = (late: number, replicas: number): fc.Arbitrary<Copy[]> =>
  fc.array(fc.record({ late: fc.nat(late), replica: fc.nat(replicas - 1) }), {
    minLength: 1,
    maxLength: copiesMax,
  });

/** Mostly one settlement or none; sometimes both, of which the first wins. */
const settledAs = fc.constantFrom<Settlement['outcome'][]>(
  ['posted'],
  ['posted'],
  ['voided'],
  ['voided'],
  ['posted', 'voided'],
  [],
);

/**
 * `size` holds for `replicas` replicas: each message is delivered 1 to 5 times, out of order; a copy arrives soon
 * after the first or many holds later. Voids come before their charge too; posts do not, because only an answered
 * charge is posted.
 */
export function rounds(size: number, replicas: number): fc.Arbitrary<Round> {
  const late = fc.constantFrom(2, 50, size);
  return fc.noBias(
    late.chain((lateMax) => {
      const some = copies(lateMax, replicas);
      const hold = fc.record({
        customer: fc.nat(customers - 1),
        credits: fc.nat(costMax),
        charge: some,
        outcomes: settledAs,
        posted: some,
        voided: some,
      });
      return fc.array(hold, { minLength: size, maxLength: size }).map((all) => {
        const holds = all.map(({ customer, credits }) => ({ chargeId: randomUUID(), customer, credits }));
        const timed = holds.flatMap((one, index) => {
          const plan = all[index];
          const messages = ['charge' as const, ...(plan?.outcomes ?? [])];
          return messages.flatMap((message) =>
            (plan?.[message] ?? []).map(({ late, replica }) => ({
              at: index + late,
              delivery: { hold: one, message, replica },
            })),
          );
        });
        timed.sort((a, b) => a.at - b.at);
        return { holds, deliveries: timed.map(({ delivery }) => delivery) };
      });
    }),
  );
}
