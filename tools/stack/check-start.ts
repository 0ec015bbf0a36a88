import { isPortFree } from '@app/local-stack';
import { assertNotRunning } from './launcher-file.js';
import { parseOptions } from './options.js';

/** Throws what makes a start fail in any case: before anything is built for it. */
export async function check(parameters: string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const options = parseOptions(parameters, environment);
  if (options === null) return;
  assertNotRunning(options.dataDirectory);
  await assertPortFree('--public-port', options.publicPort);
  await assertPortFree('--admin-port', options.adminPort);
}

/** Throws when a port was requested and something listens there. */
export async function assertPortFree(option: string, wanted: number | undefined): Promise<void> {
  if (wanted === undefined || (await isPortFree(wanted))) return;
  throw new Error(`Port ${wanted} is in use. Choose another one with ${option}.`);
}

/** The requested port, which must be free; the usual one falls back to any free port. */
export async function choosePort(option: string, wanted: number | undefined, usual: number): Promise<number> {
  await assertPortFree(option, wanted);
  if (wanted !== undefined) return wanted;
  return (await isPortFree(usual)) ? usual : 0;
}
