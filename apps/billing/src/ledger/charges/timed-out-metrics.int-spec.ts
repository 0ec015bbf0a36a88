import { metricsText } from '@app/platform';
import { AdjustmentsService } from '../../credits/adjustments.service.js';
import { OverdueChargesStep } from './overdue-charges.step.js';
import { type Customer, useAuditedLedger } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const ledger = useAuditedLedger();
const startAt = Date.now();

/** What this process has counted so far. */
async function counted(): Promise<{ charges: number; credits: number }> {
  const { text } = await metricsText();
  const value = (name: string) => Number(new RegExp(`^creator_search_${name} (\\d+)$`, 'm').exec(text)?.[1]);
  return {
    charges: value('ledger_timed_out_charges_total'),
    credits: value('ledger_timed_out_credits_total'),
  };
}

/** What is counted while something runs. */
async function countedBy(work: () => Promise<unknown>): Promise<{ charges: number; credits: number }> {
  const before = await counted();
  await work();
  const after = await counted();
  return { charges: after.charges - before.charges, credits: after.credits - before.credits };
}

/** With charges of 2 and 3 credits that are overdue, and of 1 that is settled; 4 of 10 credits are left. */
async function overdueCustomer(): Promise<Customer> {
  await ledger.factory.setClock(new Date(startAt));
  const customer = await ledger.customer(10);
  const [service] = ledger.replicas;
  for (const credits of [2, 3]) await customer.charge(service, credits);
  const { id } = await customer.charge(service, 1);
  await customer.settle(service, id, 'voided');
  await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs));
  return customer;
}

describe('charges that were not settled in time are counted, with their credits', () => {
  const sweep = () => ledger.get(OverdueChargesStep).run(10);

  it('when the sweep voids them', async () => {
    await overdueCustomer();
    expect(await countedBy(sweep)).toEqual({ charges: 2, credits: 5 });
    expect(await countedBy(sweep)).toEqual({ charges: 0, credits: 0 });
  });

  it('when a later charge voids them', async () => {
    const customer = await overdueCustomer();
    const charge = () => customer.charge(ledger.replicas[0], 1);
    expect(await countedBy(charge)).toEqual({ charges: 2, credits: 5 });
    expect(await countedBy(charge)).toEqual({ charges: 0, credits: 0 });
  });

  it('once, when the transaction that would have voided them first was rolled back', async () => {
    const { accountId: account_id } = await overdueCustomer();
    const correction = { account_id, credits: -11, reason: 'ours', reference: 'a' };
    const adjust = () =>
      expect(ledger.get(AdjustmentsService).adjust(correction)).rejects.toMatchObject({
        code: 'conflict',
      });
    expect(await countedBy(adjust)).toEqual({ charges: 0, credits: 0 });
    expect(await countedBy(sweep)).toEqual({ charges: 2, credits: 5 });
  });
});
