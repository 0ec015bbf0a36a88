import { runBuilt } from './bootstrap/run-built.mjs';

await runBuilt('cli/main');
