// Runs a program of tools/tasks, on a fresh clone too: `node tools/task.mjs docs`.
import { runBuilt } from './bootstrap/build.mjs';
import { root } from './bootstrap/paths.mjs';

process.chdir(root);
const [name] = process.argv.splice(2, 1);
await runBuilt(`tasks/${name}`);
