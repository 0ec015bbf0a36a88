import { createLogger } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Logger } from '@nestjs/common';
import { type Customer, useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { type ApiKeysService } from './api-keys.service.js';
import { apiKeysOf } from './key-requests.fixture.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const ledger = useAuditedLedger();

/** Has no Redis to connect to: a revocation counts whether or not it could be announced. */
const client = new ServiceClient({ redisUrl: 'redis://127.0.0.1:1', logger });

beforeAll(() => {
  Logger.overrideLogger(false);
});
afterAll(async () => {
  await client.close();
});

type Revocation = (keys: ApiKeysService, path: { account_id: string; key_id: string }) => Promise<unknown>;

const revocations: [string, Revocation][] = [
  ['switched off', (keys, path) => keys.update({ ...path, active: false })],
  ['deleted', (keys, path) => keys.remove(path)],
];

function revoke({ accountId, keyId }: Customer, revocation: Revocation): Promise<unknown> {
  const keys = apiKeysOf(ledger, client);
  return revocation(keys, { account_id: accountId, key_id: keyId });
}

describe.each(revocations)('a key that is %s', (_how, revocation) => {
  it('waits for charges in progress: once it is confirmed no charge succeeds', async () => {
    const customer = await ledger.customer(10);
    let revoked: Promise<unknown> = Promise.resolve();
    let isRevoked = false;
    await ledger.transactions.run([customer.accountId], async () => {
      revoked = revoke(customer, revocation).finally(() => (isRevoked = true));
      const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while (!isRevoked && (await ledger.query(waiting)).length === 0);
      expect(isRevoked).toBe(false);
    });
    await revoked;
  });

  it('can no longer pay for a call', async () => {
    const customer = await ledger.customer(10);
    await customer.charge(ledger.replicas[0], 1);
    await revoke(customer, revocation);
    for (const replica of ledger.replicas) {
      expect((await customer.charge(replica, 1)).reply).toEqual({ outcome: 'key_revoked' });
    }
    expect(await ledger.balance(customer.accountId)).toBe(9);
  });
});
