import { putUnderLoad, type Charge, type LoadTask } from './ledger-load.js';
import { plainCharges } from './ledger-plain-charge.js';
import { openLedger } from './ledger-service.js';

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
  const { service, dataSource } = await openLedger(url, poolSize, { pendingTimeoutMs });
  return { charge: (request) => service.charge(request), close: () => dataSource.destroy() };
}
