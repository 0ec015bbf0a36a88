import { CliError } from '../errors.js';
import { formatInteger } from '../output/format.js';
import { fields } from '../output/table.js';
import { checkPayments } from '../payments/check.js';
import { openAccount } from '../payments/stripe-account.js';
import { type Session } from '../session.js';
import { type CommandGroup } from './command.js';

const help = `
It reads billing's variables: STRIPE_SECRET_KEY (or STRIPE_SECRET_KEY_FILE), a key of a sandbox with the rights of the live one; PUBLIC_URL, to know
the webhook endpoint; STRIPE_AUTOMATIC_TAX, STRIPE_PROMOTION_CODES and STRIPE_INVOICES. Nothing is paid. Exit code: 1 when something differs.
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
      help: 'check with a sandbox key: rights of the key, price of one session, webhook endpoint',
      more: help,
      run: (session) => () => check(session),
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

async function check(session: Session): Promise<void> {
  const findings = await checkPayments(await openAccount(session.io.environment));
  session.print({ findings }, () => fields(findings.map(({ what, result }) => [what, result])));
  const problems = findings.filter(({ differs }) => differs).length;
  if (problems > 0) throw new CliError(`${problems} of ${findings.length} findings differ.`);
}
