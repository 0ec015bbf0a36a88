import { randomUUID } from 'node:crypto';
import { useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { ApiKeysService } from './api-keys.service.js';

const ledger = useAuditedLedger();
const dayMs = 86_400_000;
const start = new Date('2026-01-10T12:00:00.000Z');
const daysLater = (days: number): Date => new Date(start.getTime() + days * dayMs);

const keysLeft = async (): Promise<string[]> =>
  (await ledger.query<{ id: string }>('SELECT id FROM api_keys')).map(({ id }) => id);

it('a deleted key that never took credits is deleted after 90 days, with its free calls; others are kept', async () => {
  await ledger.factory.setClock(start);
  const customer = await ledger.customer(10);
  const { accountId: account_id, keyId: paid } = customer;
  const [unused, free, live] = await Promise.all(
    [2, 3, 4].map((slot) => ledger.factory.key(account_id, slot)),
  );
  const charge = (key_id = '', credits = 0) =>
    ledger.replicas[0].charge({ ...customer.request(credits), key_id });
  await charge(paid, 0);
  await charge(paid, 1);
  await charge(free, 0);
  await charge(live, 0);
  const keys = ledger.get(ApiKeysService);
  await ledger.factory.setClock(daysLater(1));
  for (const key_id of [paid, unused, free]) await keys.remove({ account_id, key_id: key_id ?? '' });

  const sweep = ledger.get(SweepService);
  await ledger.factory.setClock(new Date(daysLater(91).getTime() - 1));
  await sweep.sweep();
  expect(await keysLeft()).toHaveLength(4);
  await ledger.factory.setClock(daysLater(91));
  expect(await sweep.sweep()).toMatchObject({ 'old keys': 3 });
  expect((await keysLeft()).sort()).toEqual([paid, live].sort());
  // The kept one is not looked at again.
  expect(await sweep.sweep()).toMatchObject({ 'old keys': 0 });
});

it('an account creates at most 100 keys in 24 h, deleted ones included', async () => {
  await ledger.factory.setClock(start);
  const { accountId: account_id } = await ledger.customer(0);
  const keys = ledger.get(ApiKeysService);
  const create = () =>
    keys.create({
      account_id,
      key_id: randomUUID(),
      name: 'one of many',
      idempotency_key: randomUUID(),
      key_hash: `${randomUUID()}${randomUUID()}`.replaceAll('-', ''),
      prefix: 'csk_test',
    });
  await ledger.query(
    `INSERT INTO api_keys (id, account_id, name, hash, prefix, slot, created_at, deleted_at)
     SELECT gen_random_uuid(), $1, 'gone', lpad(number::text, 64, '0'), 'csk_test', 1, ledger_now(), ledger_now()
     FROM generate_series(1, 98) AS number`,
    [account_id],
  );
  await ledger.factory.setClock(daysLater(0.5));
  await create();
  await expect(create()).rejects.toMatchObject({ code: 'rate_limited' });
  await ledger.factory.setClock(daysLater(1));
  await create();
});
