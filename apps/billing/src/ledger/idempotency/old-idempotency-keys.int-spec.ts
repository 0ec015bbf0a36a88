import { randomUUID } from 'node:crypto';
import { AccountsService } from '../../accounts/accounts.service.js';
import { useAuditedLedger } from '../ledger.fixture.js';
import { OldIdempotencyKeysStep } from './old-idempotency-keys.step.js';

const ledger = useAuditedLedger();
const start = new Date('2026-03-01T12:00:00.000Z');
const rememberedMs = 24 * 3_600_000;

it('an Idempotency-Key is remembered for 24 h; after that it creates something new', async () => {
  const accounts = ledger.get(AccountsService);
  const step = ledger.get(OldIdempotencyKeysStep);
  const ask = (idempotency_key: string) =>
    accounts.create({ account_id: randomUUID(), name: 'One', email: 'a@example.com', idempotency_key });
  await ledger.factory.setClock(start);
  await ask('first');
  await ledger.factory.setClock(new Date(start.getTime() + 1));
  await ask('second');
  await ledger.factory.setClock(new Date(start.getTime() + rememberedMs - 1));
  expect(await step.run(100)).toBe(0);
  expect(await ask('first')).toMatchObject({ created: false });
  await ledger.factory.setClock(new Date(start.getTime() + rememberedMs));
  expect(await step.run(100)).toBe(1);
  expect(await ask('second')).toMatchObject({ created: false });
  expect(await ask('first')).toMatchObject({ created: true });
});

it('one run forgets no more of them than the batch size of the sweep', async () => {
  await ledger.factory.setClock(start);
  await ledger.query(`INSERT INTO idempotency_keys (scope, key_hash, fingerprint, made_id, answered_at)
    SELECT 'accounts', lpad(number::text, 64, '0'), repeat('0', 64), gen_random_uuid(), ledger_now() - interval '2 days'
    FROM generate_series(1, 5) AS number`);
  const step = ledger.get(OldIdempotencyKeysStep);
  expect([await step.run(2), await step.run(2), await step.run(2), await step.run(2)]).toEqual([2, 2, 1, 0]);
});
