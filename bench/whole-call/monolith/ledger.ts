import { type Pool, type PoolClient } from 'pg';
import { type ApiKey } from './keys.js';

export interface Charge {
  readonly key: ApiKey;
  readonly requestId: string;
  readonly operation: 'search' | 'profile';
  readonly credits: number;
}

export interface Charged {
  readonly isPaid: boolean;
  readonly remaining: number;
}

const lockAccount = 'SELECT id FROM accounts WHERE id = $1 FOR UPDATE';

const readLots = `SELECT id, remaining FROM lots
  WHERE account_id = $1 AND remaining > 0 AND expires_at > clock_timestamp() ORDER BY purchased_at, id`;

const take = `
  WITH charge AS (
    INSERT INTO charges (account_id, key_id, request_id, operation, credits, credits_remaining)
    VALUES ($1, $2, $3, $4, $5, $6) RETURNING id
  ), taken AS (
    SELECT * FROM unnest($7::bigint[], $8::integer[]) AS taken (lot_id, credits)
  ), entries AS (
    INSERT INTO ledger_entries (account_id, lot_id, charge_id, credits)
    SELECT $1, taken.lot_id, charge.id, -taken.credits FROM taken, charge
  )
  UPDATE lots SET remaining = remaining - taken.credits FROM taken WHERE lots.id = taken.lot_id`;

/** Takes the credits of a call from the account's oldest lots, in one transaction. */
export class Ledger {
  constructor(private readonly pool: Pool) {}

  async charge(charge: Charge): Promise<Charged> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const charged = await chargeWithin(client, charge);
      await client.query('COMMIT');
      client.release();
      return charged;
    } catch (error) {
      // A connection in an unknown state is not used again.
      client.release(true);
      throw error;
    }
  }
}

async function chargeWithin(client: PoolClient, charge: Charge): Promise<Charged> {
  const { key, requestId, operation, credits } = charge;
  await client.query({ name: 'lock account', text: lockAccount, values: [key.accountId] });
  const { rows: lots } = await client.query<{ id: string; remaining: number }>({
    name: 'read lots',
    text: readLots,
    values: [key.accountId],
  });
  const balance = lots.reduce((sum, lot) => sum + lot.remaining, 0);
  if (balance < credits) return { isPaid: false, remaining: balance };
  const ids: string[] = [];
  const amounts: number[] = [];
  let missing = credits;
  for (const lot of lots) {
    if (missing === 0) break;
    const amount = Math.min(lot.remaining, missing);
    ids.push(lot.id);
    amounts.push(amount);
    missing -= amount;
  }
  const remaining = balance - credits;
  const values = [key.accountId, key.id, requestId, operation, credits, remaining, ids, amounts];
  await client.query({ name: 'take credits', text: take, values });
  return { isPaid: true, remaining };
}
