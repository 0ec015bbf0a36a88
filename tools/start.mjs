import { root } from './bootstrap/paths.mjs';
import { runBuilt } from './bootstrap/run-built.mjs';

process.chdir(root);
await runBuilt('stack/main', ['gateway', 'catalog', 'billing'], 'tools/stack/check-start.ts');
