import { randomUUID } from 'node:crypto';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { SweepService } from './sweep.service.js';

/** Tables whose rows the sweep deletes in the end: none is left of those that the test below plants. */
const swept = [
  'charge_tombstones',
  'deliveries',
  'free_calls',
  'idempotency_keys',
  'invitations',
  'notices',
  'payment_events',
  'sessions',
  'sign_ins',
] as const;

const ledger = useAuditedLedger();
const start = new Date('2026-01-10T12:00:00.000Z');

const rowsIn = async (table: string): Promise<number> => {
  const [row] = await ledger.query<{ rows: number }>(`SELECT count(*)::integer AS rows FROM ${table}`);
  return row?.rows ?? 0;
};

it('of what nobody paid for, nothing is left in the end', async () => {
  await ledger.factory.setClock(start);
  const { accountId, keyId } = await ledger.customer(0);
  const personId = randomUUID();
  await ledger.query(
    `INSERT INTO people (id, email, email_folded, created_at) VALUES ($1, 'a@example.com', 'a@example.com', ledger_now())`,
    [personId],
  );
  const hash = 'a'.repeat(64);
  const parameters = { $account: accountId, $person: personId, $key: keyId, $hash: hash, $id: randomUUID() };
  for (const sql of [
    `INSERT INTO charge_tombstones VALUES ('$id', '$account', ledger_now())`,
    `INSERT INTO idempotency_keys VALUES ('keys', '$hash', '$hash', '$id', ledger_now())`,
    `INSERT INTO notices VALUES ('$id', '$account', 'test', 'one', '{}', ledger_now())`,
    `INSERT INTO deliveries (id, notice_id, account_id, channel, state, created_at)
       VALUES ('$id', '$id', '$account', 'webhook', 'delivered', ledger_now())`,
    `INSERT INTO payment_events (id, type, subject_kind, subject_id, source, state, received_at, ended_at)
       VALUES ('evt_1', 'refund.created', 'payment', 'pi_1', 'webhook', 'done', ledger_now(), ledger_now())`,
    `INSERT INTO sessions VALUES
       ('$id', '$hash', '$person', '$account', '192.0.2.1', 'a browser', ledger_now(), ledger_now(), ledger_now())`,
    `INSERT INTO sign_ins (id, email_folded, link_hash, created_at, expires_at)
       VALUES ('$id', 'a@example.com', '$hash', ledger_now(), ledger_now())`,
    ...['expired', 'failed'].map(
      (
        state,
      ) => `INSERT INTO orders (id, account_id, person_id, pack, credits, price_cents, state, ordered_at, checked_at)
       VALUES (gen_random_uuid(), '$account', '$person', 'trial', 50, 1900, '${state}', ledger_now(), ledger_now())`,
    ),
    ...['posted', 'refused'].map(
      (
        state,
      ) => `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, refusal, credits_remaining, created_at, pending_until, settled_at)
       VALUES (gen_random_uuid(), '$account', '$key', 'one', 'search', 0, '${state}',
         CASE '${state}' WHEN 'refused' THEN 'key_revoked' END, 0, ledger_now(), ledger_now(), ledger_now())`,
    ),
    `UPDATE api_keys SET deleted_at = ledger_now()`,
    `INSERT INTO notice_settings (account_id, balance_checked_at) VALUES ('$account', ledger_now())`,
    `INSERT INTO members VALUES ('$account', '$person', 'owner', ledger_now(), ledger_now())`,
    `INSERT INTO invitations VALUES
       ('$id', '$account', 'b@example.com', 'b@example.com', 'member', '$person', ledger_now(), ledger_now())`,
    `UPDATE accounts SET signed_up_from = '192.0.2.1', next_check_at = ledger_now()`,
  ]) {
    await ledger.query(sql.replace(/\$\w+/g, (name) => Reflect.get(parameters, name) as string));
  }
  const sweep = ledger.get(SweepService);
  const ofAccounts = ['accounts', 'members', 'notice_settings', 'people'];
  const emptied = [...swept, 'api_keys', 'charges', 'orders', ...ofAccounts];

  await ledger.factory.setClock(new Date(start.getTime() + 90 * 86_400_000 - 1));
  await sweep.sweep();
  const kept = ['api_keys', 'charges', 'orders', 'notices', 'deliveries', ...ofAccounts];
  expect(await Promise.all(kept.map(rowsIn))).toEqual([1, 1, 2, 1, 1, 1, 1, 1, 1]);

  await ledger.factory.setClock(new Date(start.getTime() + 401 * 86_400_000));
  await sweep.sweep();
  expect(await Promise.all(emptied.map(async (table) => [table, await rowsIn(table)]))).toEqual(
    emptied.map((table) => [table, 0]),
  );
});
