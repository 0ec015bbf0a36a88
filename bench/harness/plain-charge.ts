import { type ChargeReply, type ChargeRequest } from '#contracts';
import { Pool, type PoolClient } from 'pg';

/** Charges one call. */
export type Charge = (request: ChargeRequest) => Promise<ChargeReply>;

/**
 * What the ledger is measured against: the same charge on the same schema, as most people would write it. One transaction
 * per charge that locks its account's row, checks the key, reads the lots, and inserts the charge and its entries.
 */
export function plainCharges(url: string, poolSize: number): { charge: Charge; close: () => Promise<void> } {
  const pool = new Pool({ connectionString: url, max: poolSize });
  return {
    charge: async (request) => {
      const client = await pool.connect();
      try {
        await client.query('BEGIN');
        const reply = await chargeOne(client, request);
        await client.query('COMMIT');
        return reply;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

async function chargeOne(client: PoolClient, request: ChargeRequest): Promise<ChargeReply> {
  const { charge_id, account_id, key_id, request_id, operation, credits } = request;
  await client.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [account_id]);
  const keys = await client.query(
    'SELECT id FROM api_keys WHERE id = $1 AND account_id = $2 AND active AND deleted_at IS NULL',
    [key_id, account_id],
  );
  if (keys.rowCount === 0) return { outcome: 'key_revoked' };
  const lots = await client.query<{ id: string; remaining: number }>(
    `SELECT id, remaining FROM lots WHERE account_id = $1 AND expires_at > clock_timestamp() AND remaining > 0
     ORDER BY purchased_at, id`,
    [account_id],
  );
  const balance = lots.rows.reduce((sum, lot) => sum + lot.remaining, 0);
  if (balance < credits) {
    return { outcome: 'insufficient_credits', credits_needed: credits, credits_remaining: balance };
  }
  await client.query(
    `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at,
       pending_until)
     VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, clock_timestamp(), clock_timestamp() + interval '1 hour')`,
    [charge_id, account_id, key_id, request_id, operation, credits, balance - credits],
  );
  let missing = credits;
  for (const lot of lots.rows) {
    if (missing === 0) break;
    const taken = Math.min(lot.remaining, missing);
    await client.query(
      `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
       VALUES ($1, $2, 'charge', $3, $4, clock_timestamp())`,
      [account_id, lot.id, -taken, charge_id],
    );
    missing -= taken;
  }
  return { outcome: 'charged', credits_used: credits, credits_remaining: balance - credits };
}
