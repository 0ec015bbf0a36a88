import { runBuilt } from './bootstrap/build.mjs';

await runBuilt('cli/main');
