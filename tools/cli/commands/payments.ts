import { CliError } from '../errors.js';
import { pairs } from '../output/show.js';
import { checkPayments } from './check-payments.js';
import { command, group } from './command.js';

const help = `
It reads billing's variables: STRIPE_SECRET_KEY (or STRIPE_SECRET_KEY_FILE), a key of a sandbox with the rights of the live one; SITE_URL, to know
the webhook endpoint; STRIPE_AUTOMATIC_TAX, STRIPE_PROMOTION_CODES and STRIPE_INVOICES. Nothing is paid. Exit code: 1 when something differs.
`;

export const paymentCommands = group('payments', 'selling through Stripe', [
  command('check', 'check with a sandbox key: rights of the key, price of one session, webhook endpoint', {
    more: help,
    run: async (session) => {
      const findings = await checkPayments(session.io.environment);
      session.print({ findings }, () => pairs(findings.map(({ what, result }) => [what, result])));
      const problems = findings.filter(({ differs }) => differs).length;
      if (problems > 0) throw new CliError(`${problems} of ${findings.length} findings differ.`);
    },
  }),
]);
