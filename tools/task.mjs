// Runs a program of tools/tasks as its source stands, on a fresh clone too: `node tools/task.mjs build --force`.
import { root } from './bootstrap/paths.mjs';
import { prepare } from './bootstrap/prepare.mjs';

process.chdir(root);
await prepare();
const { importTypeScript } = await import('./bootstrap/import-typescript.mjs');
const [name] = process.argv.splice(2, 1);
await importTypeScript(`tools/tasks/${name}.ts`);
