// Starts the operator CLI: `npm run cli -- --help`. Builds it first when its sources have changed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = fileURLToPath(new URL('build.mjs', import.meta.url));
// Standard output belongs to the command, whose JSON a script may read.
const { status } = spawnSync(process.execPath, [build, 'tools'], { stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(status ?? 1);

await import('../dist/tools/tools/cli/main.js');
