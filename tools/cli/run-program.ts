import { exitOnClosedOutput } from './output/exit-on-closed-output.js';
import { runCli } from './program.js';
import { type CliIo } from './session.js';

/** Runs the command line of this process, whose exit code it sets. */
export async function runProgram(
  place: Pick<CliIo, 'command' | 'directory' | 'stackFile' | 'wikidataTables'>,
): Promise<void> {
  exitOnClosedOutput();
  const { stdin, stdout, stderr, env: environment } = process;
  process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, environment, ...place });
}
