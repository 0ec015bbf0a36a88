import { randomUUID } from 'node:crypto';
import { useAuditedLedger } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const ledger = useAuditedLedger();

describe('a charge id that two accounts use', () => {
  it('belongs to the account that voided it before any charge: the other one gets a conflict', async () => {
    const [customer, stranger] = [await ledger.customer(10), await ledger.customer(10)];
    const [service] = ledger.replicas;
    const id = randomUUID();
    expect(await customer.settle(service, id, 'voided')).toBe('voided');
    expect(await stranger.settle(service, id, 'voided')).toBe('unknown_charge');
    expect(await stranger.settle(service, id, 'posted')).toBe('unknown_charge');
    await expect(stranger.charge(service, 1, id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await customer.settle(service, id, 'posted')).toBe('voided');
    expect((await customer.charge(service, 1, id)).reply).toEqual({ outcome: 'voided' });
  });

  it("can't be voided by the other account, even when it is overdue", async () => {
    const startAt = Date.now();
    await ledger.factory.setClock(new Date(startAt));
    const [customer, stranger] = [await ledger.customer(10), await ledger.customer(10)];
    const [service] = ledger.replicas;
    const { id } = await customer.charge(service, 4);
    await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs));
    expect(await stranger.settle(service, id, 'voided')).toBe('unknown_charge');
    expect(await ledger.query('SELECT state FROM charges')).toEqual([{ state: 'pending' }]);
    expect(await customer.settle(service, id, 'voided')).toBe('voided');
  });
});
