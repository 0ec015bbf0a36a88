import { type CheckFlags, type StepName, stepNames } from './check-options.js';
import { type CheckRun } from './check-run.js';
import { checkAccount } from './steps/account.step.js';
import { checkBuying } from './steps/buy.step.js';
import { checkDelayed } from './steps/delayed.step.js';
import { checkInvoice } from './steps/invoice.step.js';
import { checkDispute } from './steps/dispute.step.js';
import { checkPermissions } from './steps/permissions.step.js';
import { checkRefund } from './steps/refund.step.js';
import { checkTax } from './steps/tax.step.js';
import { checkWebhook } from './steps/webhook.step.js';

const steps: Readonly<Record<StepName, (run: CheckRun) => Promise<void>>> = {
  permissions: checkPermissions,
  account: checkAccount,
  webhook: checkWebhook,
  buy: checkBuying,
  tax: checkTax,
  invoice: checkInvoice,
  refund: checkRefund,
  dispute: checkDispute,
  delayed: checkDelayed,
};

/** Runs the chosen steps, one after the other; each adds what it finds to the report. */
export async function runCheck(run: CheckRun, { only, delayed = false }: CheckFlags): Promise<void> {
  for (const name of stepNames) {
    if (only === undefined ? isDefault(name, run, delayed) : name === only) {
      run.report.begin(name);
      await steps[name](run);
    }
  }
  run.report.end();
}

function isDefault(name: StepName, { options }: CheckRun, delayed: boolean): boolean {
  if (name === 'delayed') return delayed;
  if (name === 'invoice') return options.invoices;
  return name !== 'tax' || options.automaticTax;
}
