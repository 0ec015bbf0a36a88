import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { path } from '../admin-client.js';
import { parseCount } from '../arguments.js';
import { CliError } from '../errors.js';
import { formatInteger } from '../output/format.js';
import { runCheck } from '../payments/check.js';
import { type CheckFlags, readCheckOptions, stepNames } from '../payments/check-options.js';
import { Recorder } from '../payments/recorder.js';
import { Report } from '../payments/report.js';
import { StripeAccount } from '../payments/stripe-account.js';
import { type Session } from '../session.js';

const help = `
It reads what billing reads: STRIPE_SECRET_KEY (or STRIPE_SECRET_KEY_FILE), a key of a sandbox; PUBLIC_URL, to know the webhook
endpoint; STRIPE_AUTOMATIC_TAX and STRIPE_PROMOTION_CODES. A key for real money is refused. You pay the pages it prints in a browser,
with cards that take no money. Exit code: 0 nothing differs, 1 something does.
`;

/** `payments check | retry-events`. */
export function addPayments(program: Command, session: Session): void {
  const payments = program.command('payments').description('selling through Stripe');
  payments
    .command('retry-events')
    .description('have the events of Stripe that were given up tried for three days more')
    .action(async () => {
      session.print(
        { retried: await retryEvents(session) },
        ({ retried }) => `Events that are tried again: ${formatInteger(retried)}.`,
      );
    });
  payments
    .command('check')
    .description(
      'check a Stripe account once, with a key of its sandbox: what it does differently from what billing expects',
    )
    .addOption(new Option('--only <step>', 'only this step').choices(stepNames))
    .option('--delayed', 'also a payment by bank account, which takes some minutes')
    .option('--record <dir>', 'write what Stripe answers as NAME.json, without secrets and payers')
    .option(
      '--timeout <seconds>',
      'how long to wait for each payment',
      (text) => Number(parseCount(text)),
      900,
    )
    .addHelpText('after', help)
    .action((flags: CheckFlags) => check(session, flags));
}

/** The service takes some at a time. */
async function retryEvents({ client }: Session): Promise<number> {
  const call = { method: 'POST', path: path('payment-events', 'retry') } as const;
  for (let total = 0; ;) {
    const { retried } = await client.call<{ retried: number }>(call);
    if (retried === 0) return total;
    total += retried;
  }
}

async function check(session: Session, flags: CheckFlags): Promise<void> {
  const options = readCheckOptions(session.io);
  const { record } = flags;
  const recorder = record === undefined ? null : new Recorder(resolve(session.io.directory, record));
  const account = await StripeAccount.open(options, recorder);
  const report = new Report(session);
  await runCheck({ account, options, report, timeoutMs: flags.timeout * 1_000, bought: null }, flags);
  const { length } = report.differences;
  if (length > 0) throw new CliError(`${length} of ${report.findings.length} findings differ.`);
}
