import { isPortFree } from '@app/local-stack';

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
