import { buildProjects } from './bootstrap/build-projects.mjs';
import { root } from './bootstrap/paths.mjs';
import { checkNode, ensureDependencies } from './bootstrap/prepare.mjs';
import { fail } from './bootstrap/run.mjs';

// Runs on a fresh clone, so nothing here may need a dependency; the launcher itself is tools/stack.
process.chdir(root);
checkNode();
await ensureDependencies();
try {
  await buildProjects({ names: ['gateway', 'catalog', 'billing', 'tools'] });
} catch (error) {
  fail(error.message);
}
await import('../dist/tools/tools/stack/main.js');
