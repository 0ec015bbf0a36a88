import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { billingDataSourceOptions } from '../apps/billing/src/database/data-source.js';
import { ChargeService } from '../apps/billing/src/ledger/charge.service.js';
import { defaultLedgerOptions } from '../apps/billing/src/ledger/ledger-options.js';
import { putUnderLoad, type Charge, type LoadTask } from './ledger-load.js';
import { plainCharges } from './ledger-plain-charge.js';

/** Longer than any run: nobody settles these charges, and giving them back is not what is measured. */
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
  const service = new ChargeService(dataSource, { ...defaultLedgerOptions, pendingTimeoutMs });
  return { charge: (request) => service.charge(request), close: () => dataSource.destroy() };
}
