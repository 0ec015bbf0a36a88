import { type Queryable } from '@app/platform/database';

/** The instant by the ledger's clock, for what only reads; what writes gets it with its locks (`AccountTransactions`). */
export async function readClock({ query }: Queryable): Promise<Date> {
  const [clock] = await query<{ now: Date }>('read clock', 'SELECT ledger_now() AS now');
  if (!clock) throw new Error('ledger_now() gave no row');
  return clock.now;
}
