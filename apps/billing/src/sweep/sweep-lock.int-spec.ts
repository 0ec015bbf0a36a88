import { withLockedAccounts } from '../database/locked-accounts.js';
import { useAuditedLedger } from '../ledger/ledger.fixture-spec.js';
import { defaultLedgerOptions } from '../ledger/ledger-options.js';
import { OverdueChargesStep } from './overdue-charges.step.js';

const ledger = useAuditedLedger();

it('the sweep waits for who holds an account and looks again: a charge posted meanwhile stays posted', async () => {
  const startAt = Date.now();
  await ledger.factory.setClock(new Date(startAt));
  const customer = await ledger.customer(5);
  const { id } = await customer.charge(ledger.replicas[0], 2);
  await ledger.factory.setClock(new Date(startAt + defaultLedgerOptions.pendingTimeoutMs));

  let swept: Promise<number> = Promise.resolve(0);
  let isSwept = false;
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await withLockedAccounts(ledger.dataSource, [customer.accountId], async ({ query }) => {
    await query(`UPDATE charges SET state = 'posted', settled_at = ledger_now() WHERE id = $1`, [id]);
    swept = new OverdueChargesStep(ledger.dataSource).run(10).finally(() => (isSwept = true));
    while (!isSwept && (await ledger.query(waiting)).length === 0);
  });
  await swept;

  expect(await ledger.query('SELECT state FROM charges')).toEqual([{ state: 'posted' }]);
  expect(await ledger.balance(customer.accountId)).toBe(3);
});
