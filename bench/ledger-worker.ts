import 'reflect-metadata';
import { TransactionRunner } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { billingDataSourceOptions } from '../apps/billing/src/database/data-source.js';
import { AccountTransactions } from '../apps/billing/src/database/account-transactions.js';
import { ChargeIfUnchanged } from '../apps/billing/src/ledger/charges/charge-if-unchanged.js';
import { ChargeRepository } from '../apps/billing/src/ledger/charges/charge.repository.js';
import { ChargeService } from '../apps/billing/src/ledger/charges/charge.service.js';
import { EntriesRepository } from '../apps/billing/src/ledger/lots/entries.repository.js';
import { defaultLedgerOptions } from '../apps/billing/src/ledger/rules/ledger-options.js';
import { createLedgerQueue } from '../apps/billing/src/ledger/charges/ledger-queue.js';
import { LedgerTransactions } from '../apps/billing/src/ledger/charges/ledger-transactions.js';
import { OptimisticBatches } from '../apps/billing/src/ledger/charges/optimistic-batches.js';
import { KnownLots } from '../apps/billing/src/ledger/lots/known-lots.js';
import { LotsRepository } from '../apps/billing/src/ledger/lots/lots.repository.js';
import { putUnderLoad, type Charge, type LoadTask } from './ledger-load.js';
import { plainCharges } from './ledger-plain-charge.js';

/** Longer than any run: these charges are never settled, and returning them is not what is measured. */
const pendingTimeoutMs = 3_600_000;

/** One replica: takes its task from the parent, says when it is ready, starts at the next message, sends its result. */
process.once('message', (task: LoadTask) => {
  void run(task);
});

async function run(task: LoadTask): Promise<void> {
  const { charge, close } = await open(task);
  process.once('message', () => {
    void putUnderLoad(charge, task).then(async (result) => {
      await close();
      process.send?.({ result });
    });
  });
  process.send?.({ ready: true });
}

async function open({
  variant,
  url,
  poolSize,
}: LoadTask): Promise<{ charge: Charge; close: () => Promise<void> }> {
  if (variant === 'plain') return plainCharges(url, poolSize);
  const dataSource = await new DataSource(billingDataSourceOptions({ url, poolSize })).initialize();
  const options = { ...defaultLedgerOptions, pendingTimeoutMs };
  const entries = new EntriesRepository();
  const repository = new ChargeRepository(new LotsRepository(entries), entries);
  const runner = new TransactionRunner(dataSource);
  const optimistic = new OptimisticBatches(new KnownLots(), new ChargeIfUnchanged(runner, options));
  const transactions = new LedgerTransactions(
    new AccountTransactions(runner),
    repository,
    options,
    optimistic,
  );
  const service = new ChargeService(createLedgerQueue(transactions, options));
  return { charge: (request) => service.charge(request), close: () => dataSource.destroy() };
}
