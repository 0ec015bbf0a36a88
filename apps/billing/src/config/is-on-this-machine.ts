const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether only this machine can reach this origin; no origin: nobody was told of one. */
export function isOnThisMachine(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined || publicUrl === '' || !URL.canParse(publicUrl)) return true;
  return loopback.has(new URL(publicUrl).hostname);
}
