import { buildProjects } from './bootstrap/build-projects.mjs';
import { root } from './bootstrap/paths.mjs';
import { checkNode, ensureDependencies } from './bootstrap/prepare.mjs';
import { fail } from './bootstrap/run.mjs';

process.chdir(root);
checkNode();
await ensureDependencies();
try {
  await buildProjects({ names: ['tools'] });
} catch (error) {
  fail(error.message);
}
await import('../dist/tools/tools/stack/stop.js');
