import { randomUUID } from 'node:crypto';
import { AccountsService } from '../../accounts/accounts.service.js';
import { useAuditedLedger } from '../ledger.fixture.js';
import { SweepService } from '../../schedule/sweep.service.js';

const ledger = useAuditedLedger();
const start = new Date('2026-03-01T12:00:00.000Z');
const rememberedMs = 24 * 3_600_000;

it('an Idempotency-Key is remembered for 24 h; after that it creates something new', async () => {
  const accounts = ledger.get(AccountsService);
  const sweep = ledger.get(SweepService);
  const ask = (idempotency_key: string) =>
    accounts.create({ account_id: randomUUID(), name: 'One', email: 'a@example.com', idempotency_key });
  await ledger.factory.setClock(start);
  await ask('first');
  await ledger.factory.setClock(new Date(start.getTime() + 1));
  await ask('second');
  await ledger.factory.setClock(new Date(start.getTime() + rememberedMs - 1));
  expect(await sweep.sweep()).toMatchObject({ 'old idempotency keys': 0 });
  expect(await ask('first')).toMatchObject({ created: false });
  await ledger.factory.setClock(new Date(start.getTime() + rememberedMs));
  expect(await sweep.sweep()).toMatchObject({ 'old idempotency keys': 1 });
  expect(await ask('second')).toMatchObject({ created: false });
  expect(await ask('first')).toMatchObject({ created: true });
});
