import { Command, CommanderError } from 'commander';
import { addAccounts } from './commands/accounts.js';
import { addAdjustments } from './commands/adjustments.js';
import { addAgreements } from './commands/agreements.js';
import { addCreators } from './commands/creators.js';
import { addKeys } from './commands/keys.js';
import { addLedger } from './commands/ledger.js';
import { addOrders } from './commands/orders/orders.js';
import { addPayments } from './commands/payments.js';
import { addPurchases } from './commands/purchases.js';
import { addSignIn } from './commands/sign-in.js';
import { ApiError, CliError } from './errors.js';
import { type CliIo } from './io.js';
import { Session } from './session.js';

const examples = `
Examples:
  $ npm run cli -- accounts create --name "Acme" --email ops@acme.example
  $ npm run cli -- keys create ACCOUNT --name "search tool"
  $ npm run cli -- purchases create ACCOUNT --pack builder --reference invoice-1042
  $ npm run cli -- orders list --attention
  $ npm run cli -- creators import creators.ndjson
  $ npm run cli -- usage ACCOUNT --from 2026-01-01 --to 2026-01-31
  $ npm run --silent cli -- audit --json
  $ npm run cli -- payments check

The service is looked for in this order: --admin-url and --admin-token; --data-dir; ADMIN_URL and ADMIN_TOKEN; the local stack that
\`npm start\` runs. Exit code: 0 done; 1 the service refused, could not be reached, or rejected lines of an
import; 2 the command line is invalid.
`;

const exitCodes = { done: 0, failed: 1, misused: 2 } as const;

/** Runs one command line (without the program's own name) and gives its exit code. */
export async function runCli(words: readonly string[], io: CliIo): Promise<number> {
  try {
    await createProgram(io).parseAsync([...words], { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.misused;
    if (!(error instanceof CliError)) throw error;
    io.stderr.write(`${explain(error)}\n`);
    return exitCodes.failed;
  }
}

function createProgram(io: CliIo): Command {
  const program = new Command('npm run cli --');
  program
    .description('Operates a Creator Search Service through its admin API.')
    .option('--admin-url <url>', 'admin API of the service, for example http://localhost:3001')
    .option(
      '--admin-token <token>',
      'its ADMIN_TOKEN (visible to other users of the machine; prefer the variable)',
    )
    .option('--data-dir <dir>', 'data directory of a local stack started with this option')
    .option('--json', 'print the JSON of the API, for scripts')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
    })
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride()
    .addHelpText('after', examples);
  const session = new Session(program, io);
  for (const add of [
    addAccounts,
    addKeys,
    addPurchases,
    addOrders,
    addPayments,
    addAdjustments,
    addAgreements,
    addLedger,
    addCreators,
    addSignIn,
  ]) {
    add(program, session);
  }
  return program;
}

function explain(error: CliError): string {
  const details = error instanceof ApiError ? Object.entries(error.details) : [];
  const lines = details.flatMap(([name, problems]) =>
    problems.filter((problem) => problem !== error.message).map((problem) => `  ${name}: ${problem}`),
  );
  return [`Error: ${error.message}`, ...lines].join('\n');
}
