import { resolve } from 'node:path';
import { runProgram } from './run-program.js';

const projectRoot = resolve(import.meta.dirname, '../../../..');

await runProgram({
  command: 'npm run cli --',
  // npm runs scripts in the project's directory; file names are relative to the user's directory.
  directory: process.env.INIT_CWD ?? process.cwd(),
  stackFile: resolve(projectRoot, '.local/stack.json'),
  wikidataTables: resolve(projectRoot, 'tools/cli/wikidata/tables'),
});
