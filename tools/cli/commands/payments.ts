import { resolve } from 'node:path';
import { parseCount } from '../arguments.js';
import { CliError } from '../errors.js';
import { formatInteger } from '../output/format.js';
import { runCheck } from '../payments/check.js';
import { type CheckFlags, readCheckOptions, stepNames } from '../payments/check-options.js';
import { Recorder } from '../payments/recorder.js';
import { Report } from '../payments/report.js';
import { StripeAccount } from '../payments/stripe-account.js';
import { type Session } from '../session.js';
import { type CommandGroup, option } from './command.js';

const help = `
It reads billing's variables: STRIPE_SECRET_KEY (or STRIPE_SECRET_KEY_FILE), a key of a sandbox; PUBLIC_URL, to know the webhook
endpoint; STRIPE_AUTOMATIC_TAX, STRIPE_PROMOTION_CODES and STRIPE_INVOICES. Live keys are refused. Pay the printed pages in a browser with test
cards. Exit code: 0 nothing differs, 1 something differs.
`;

export const paymentCommands: CommandGroup = {
  group: 'payments',
  help: 'selling through Stripe',
  commands: [
    {
      usage: 'retry-events',
      help: 'retry Stripe events that were given up for three more days',
      run: (session) => async () => {
        const retried = await retryEvents(session);
        session.print({ retried }, () => `Events to be retried: ${formatInteger(retried)}.`);
      },
    },
    {
      usage: 'check',
      help: 'check a Stripe account with a sandbox key: does it behave as billing expects?',
      options: [
        option('--only <step>', 'only this step').choices(stepNames),
        option('--delayed', 'also a payment by bank account, which takes some minutes'),
        option('--record <dir>', "write Stripe's answers as NAME.json, without secrets and payers"),
        option('--timeout <seconds>', 'how long to wait for each payment', (text) =>
          Number(parseCount(text)),
        ).default(900),
      ],
      more: help,
      run: (session) => (flags: CheckFlags) => check(session, flags),
    },
  ],
};

/** The service retries a limited number per call. */
async function retryEvents({ client }: Session): Promise<number> {
  const call = { method: 'POST', path: '/payment-events/retry' } as const;
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
  await runCheck(
    { account, options, report, timeoutMs: flags.timeout * 1_000, bought: null, customer: null },
    flags,
  );
  const { length } = report.differences;
  if (length > 0) throw new CliError(`${length} of ${report.findings.length} findings differ.`);
}
