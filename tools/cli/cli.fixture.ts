import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from './program.js';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  /** Default: nothing. */
  readonly stdin?: Readable;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a command of the CLI in this process, without a local stack. */
export async function runCommand(
  words: readonly string[],
  { stdin = Readable.from([]), environment }: CliOptions,
): Promise<CliRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runCli([...words], {
    stdin,
    stdout,
    stderr,
    environment,
    directory: '/',
    stackFile: '/nowhere/stack.json',
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}
