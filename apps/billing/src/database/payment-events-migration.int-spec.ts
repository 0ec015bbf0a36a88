import { migrate } from '@app/platform/database';
import { BillingFactory } from '@app/testing';
import { useDatabaseBefore } from './database-before.fixture.js';

describe('the migration that adds an inbox for payment events', () => {
  const older = useDatabaseBefore('PaymentEvents');

  it('leaves orders as they are, and begins without events and without a cursor', async () => {
    const factory = new BillingFactory((sql, parameters) => older.database.query(sql, parameters));
    const accountId = await factory.account();
    await older.database.query(
      `INSERT INTO orders (id, account_id, person_id, pack, credits, price_cents, state, checkout_session_id, ordered_at, checked_at)
       VALUES (gen_random_uuid(), $1, $1, 'builder', 500, 14900, 'open', 'cs_test_1', ledger_now(), ledger_now())`,
      [accountId],
    );
    const orders = (): Promise<unknown[]> =>
      older.database.query('SELECT id, state, checkout_session_id, checked_at FROM orders');
    const unchanged = await orders();
    await migrate(older.database);
    expect(await orders()).toEqual(unchanged);
    expect(await older.database.query('SELECT id FROM payment_events')).toEqual([]);
    expect(await older.database.query('SELECT * FROM reconciliation_cursor')).toEqual([
      { id: true, key_hash: null, read_until: null },
    ]);
  });

  it.each([
    ['payment_events_subject_known', { subject_kind: 'customer' }],
    ['payment_events_source_known', { source: 'mail' }],
    ['payment_events_state_known', { state: 'lost' }],
    ['payment_events_lengths', { id: 'e'.repeat(256) }],
    ['payment_events_waiting_due', { next_attempt_at: null }],
    ['payment_events_waiting_due', { state: 'done' }],
  ])('refuses rows against %s: %j', async (constraint, change) => {
    await migrate(older.database);
    const row = {
      id: 'evt_1',
      type: 'refund.created',
      subject_kind: 'payment',
      subject_id: 'pi_1',
      source: 'webhook',
      state: 'waiting',
      received_at: new Date(),
      next_attempt_at: new Date(),
      ...change,
    };
    const columns = Object.keys(row);
    const insert = older.database.query(
      `INSERT INTO payment_events (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    );
    await expect(insert).rejects.toMatchObject({ constraint });
  });

  it('has one cursor', async () => {
    await migrate(older.database);
    await expect(
      older.database.query('INSERT INTO reconciliation_cursor (id) VALUES (false)'),
    ).rejects.toMatchObject({
      constraint: 'reconciliation_cursor_one_row',
    });
    await expect(
      older.database.query('INSERT INTO reconciliation_cursor (id) VALUES (true)'),
    ).rejects.toMatchObject({
      constraint: 'reconciliation_cursor_pk',
    });
  });
});
