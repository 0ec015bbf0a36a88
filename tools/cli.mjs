// Starts the operator CLI: `npm run cli -- --help`. Builds the project first when that has not been done.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = new URL('../dist/tools/tools/cli/main.js', import.meta.url);

if (!existsSync(program)) {
  const build = fileURLToPath(new URL('build.mjs', import.meta.url));
  // Standard output belongs to the command, whose JSON a script may read.
  const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}

await import(program.href);
