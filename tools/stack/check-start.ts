import { assertNotRunning } from './launcher-file.js';
import { parseOptions } from './options.js';
import { assertPortFree } from './ports.js';

/** Throws what makes a start fail in any case: before anything is built for it. */
export async function check(parameters: string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const options = parseOptions(parameters, environment);
  if (options === null) return;
  assertNotRunning(options.dataDirectory);
  await assertPortFree('--public-port', options.publicPort);
  await assertPortFree('--admin-port', options.adminPort);
}
