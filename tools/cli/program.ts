import { buildInfo } from '#platform/build-info';
import { Command, CommanderError } from 'commander';
import { accountCommands, keyCommands } from './commands/accounts.js';
import { logCommand, tokenCommands } from './commands/administration.js';
import { alertCommands } from './commands/alerts.js';
import { creatorCommands, importCommands } from './commands/creators.js';
import {
  adjustmentCommands,
  agreementCommands,
  lotCommands,
  packsCommand,
  purchaseCommands,
} from './commands/credits.js';
import { auditCommand, ledgerCommands, usageCommand } from './commands/ledger.js';
import { orderCommands } from './commands/orders.js';
import { paymentCommands } from './commands/payments.js';
import { peopleCommands, signInCommands } from './commands/people.js';
import { ApiError, CliError } from './errors.js';
import { exitOnClosedOutput } from './output/exit-on-closed-output.js';
import { type CliIo, Session } from './session.js';

const commands = [
  accountCommands,
  keyCommands,
  packsCommand,
  purchaseCommands,
  orderCommands,
  paymentCommands,
  adjustmentCommands,
  lotCommands,
  agreementCommands,
  ledgerCommands,
  usageCommand,
  auditCommand,
  creatorCommands,
  importCommands,
  signInCommands,
  peopleCommands,
  tokenCommands,
  logCommand,
  alertCommands,
];

const sources = {
  checkout:
    '--admin-url and --admin-token; --data-dir; ADMIN_URL and ADMIN_TOKEN; the local stack of `npm start`',
  installed: '--admin-url and --admin-token; ADMIN_URL and ADMIN_TOKEN',
};

const closing = (ofService: string): string => `
The service is taken from, in this order: ${ofService}.
Exit code: 0 done; 1 the service refused, could not be reached, or rejected lines of an import; 2 the command line is invalid.
`;

const exitCodes = { done: 0, failed: 1, misused: 2 } as const;

/** Runs the command line of this process, whose exit code it sets. */
export async function runProgram(
  place: Pick<CliIo, 'command' | 'directory' | 'stackFile' | 'wikidataTables'>,
): Promise<void> {
  exitOnClosedOutput();
  const { stdin, stdout, stderr, env: environment } = process;
  process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, environment, ...place });
}

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
  const program = new Command(io.command);
  const isInstalled = io.stackFile === null;
  // Examples are written as in a checkout.
  const asTyped = (text: string): string =>
    isInstalled ? text.replaceAll(/npm run (--silent )?cli --/g, io.command) : text;
  program
    .version(`${buildInfo.version} (${buildInfo.commit})`, '--version', 'print the version and the commit')
    .description('Operates a Creator Search Service through its admin API.')
    .option('--admin-url <url>', 'admin API of the service, for example http://localhost:3001')
    .option(
      '--admin-token <token>',
      'a token of it, or its ADMIN_TOKEN (visible to other users of the machine; prefer the variable)',
    )
    .option('--json', 'print the JSON of the API, for scripts')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(asTyped(text)),
      writeErr: (text) => void io.stderr.write(text),
    })
    .showHelpAfterError('(add --help for the options and examples)')
    .exitOverride()
    .addHelpText('after', closing(isInstalled ? sources.installed : sources.checkout));
  if (!isInstalled) {
    program.option('--data-dir <dir>', 'data directory of a local stack started with this option');
  }
  const session = new Session(program, io);
  for (const add of commands) add(program, session);
  return program;
}

function explain(error: CliError): string {
  const details = error instanceof ApiError ? Object.entries(error.details) : [];
  const lines = details.flatMap(([name, problems]) =>
    problems.filter((problem) => problem !== error.message).map((problem) => `  ${name}: ${problem}`),
  );
  return [`Error: ${error.message}`, ...lines].join('\n');
}
