import { isPortFree } from '#local-stack';

/** The requested port; the usual one falls back to any free port (0). Throws when the requested one is in use. */
export async function choosePort(option: string, wanted: number | undefined, usual: number): Promise<number> {
  if (wanted === undefined) return (await isPortFree(usual)) ? usual : 0;
  if (await isPortFree(wanted)) return wanted;
  throw new Error(`Port ${wanted} is in use. Choose another one with ${option}.`);
}
