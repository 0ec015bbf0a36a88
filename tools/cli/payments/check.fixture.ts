import { Readable, Writable } from 'node:stream';
import { type StripeStandIn } from '#stripe-stand-in';
import { type CliRun } from '../cli.fixture.js';
import { runCli } from '../program.js';
import { type Finding } from './report.js';

/** A person who is asked to pay this session; `how` is what the check told them. */
export type Payer = (sessionId: string, how: string) => void;

export interface CheckedAccount {
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: nobody pays. */
  readonly payer?: Payer;
}

const asked = /Pay on this page (.*)\n\s*\S+\/c\/pay\/(\w+)/g;

/** Runs `payments check` on the account of a stand-in, while `payer` pays the pages that it prints. */
export async function checkAccount(
  { secretKey, url }: Pick<StripeStandIn, 'secretKey' | 'url'>,
  words: readonly string[],
  { environment = {}, payer = () => undefined }: CheckedAccount = {},
): Promise<CliRun> {
  const [stdout, stderr] = [new Printed(payer), new Printed(payer)];
  const code = await runCli(['payments', 'check', ...words], {
    stdin: Readable.from([]),
    stdout,
    stderr,
    environment: { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: url, ...environment },
    directory: '/',
    command: 'npm run cli --',
    stackFile: '/nowhere/stack.json',
    wikidataTables: '/nowhere',
  });
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Each finding of a run with `--json` as `step: what: verdict`, with its detail. */
export function findingsOf({ stdout }: CliRun): Map<string, string> {
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return new Map(
    findings.map(({ step, what, verdict, detail }) => [`${step}: ${what}`, `${verdict}: ${detail}`]),
  );
}

/** Keeps what is printed, and has the sessions paid that it names. */
class Printed extends Writable {
  text = '';

  constructor(private readonly payer: Payer) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const printed = chunk.toString();
    this.text += printed;
    for (const [, how = '', sessionId = ''] of printed.matchAll(asked)) this.payer(sessionId, how);
    done();
  }
}
