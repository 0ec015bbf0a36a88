import { resolve } from 'node:path';
import { exitOnClosedOutput } from './output/exit-on-closed-output.js';
import { runCli } from './program.js';

const projectRoot = resolve(import.meta.dirname, '../../../..');

exitOnClosedOutput();

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  // npm runs scripts in the project's directory; file names are relative to the user's directory.
  directory: process.env.INIT_CWD ?? process.cwd(),
  stackFile: resolve(projectRoot, '.local/stack.json'),
  wikidataTables: resolve(projectRoot, 'tools/cli/wikidata/tables'),
});
