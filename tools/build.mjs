// npm run build [client]: compiles everything, and the package of the client.
import { build, buildClient } from './bootstrap/build.mjs';
import { root } from './bootstrap/paths.mjs';
import { prepare } from './bootstrap/prepare.mjs';
import { fail } from './bootstrap/run.mjs';

process.chdir(root);
await prepare();
if (process.argv[2] !== 'client') {
  const { code, output } = await build();
  if (code !== 0) fail(output);
}
await buildClient();
