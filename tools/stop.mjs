import { runBuilt } from './bootstrap/build.mjs';
import { root } from './bootstrap/paths.mjs';

process.chdir(root);
await runBuilt('dev/launcher/stop');
