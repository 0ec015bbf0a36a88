import { type ErasureRest } from '#contracts';
import { type Queryable } from '#platform/database';
import { type PersonDataRepository } from './person-data.repository.js';

/** What is kept after an erasure, and why. `personId` is `null` for an address without a person. */
export async function remainsOf(
  data: PersonDataRepository,
  on: Queryable,
  personId: string | null,
): Promise<ErasureRest[]> {
  const backups: ErasureRest = {
    what: 'backups',
    count: null,
    why: 'Backups hold the data until they expire. Repeat the erasures after restoring one.',
  };
  if (personId === null) return [backups];
  const { orders, keys, payments } = await data.rest(on, personId);
  return [
    {
      what: 'ledger',
      count: null,
      why: 'Credits, charges and entries name accounts, keys and lots, and no person.',
    },
    ...(orders > 0
      ? [
          {
            what: 'orders',
            count: orders,
            why: 'Records of payments; they name the person by a random id.',
          } as const,
        ]
      : []),
    ...(keys > 0
      ? [
          {
            what: 'keys',
            count: keys,
            why: 'API keys that they created; they name the person by a pseudonym.',
          } as const,
        ]
      : []),
    ...(payments.length > 0 ? [stripe(payments)] : []),
    backups,
  ];
}

function stripe(payments: readonly string[]): ErasureRest {
  return {
    what: 'stripe',
    count: payments.length,
    why: 'Stripe keeps its own records of payments. Erase them there: https://docs.stripe.com/privacy/deletion-requests',
    urls: payments.map((payment) => `https://dashboard.stripe.com/payments/${payment}`),
  };
}
