import { resolve } from 'node:path';
import { root } from '../bootstrap/paths.mjs';
import { runProgram } from './program.js';

await runProgram({
  command: 'npm run cli --',
  // npm runs scripts in the project's directory; file names are relative to the user's directory.
  directory: process.env.INIT_CWD ?? process.cwd(),
  stackFile: resolve(root, '.local/stack.json'),
  wikidataTables: resolve(root, 'tools/cli/wikidata/tables'),
});
