const loopback = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether only this machine can reach this origin; `true` where none is configured. */
export function isOnThisMachine(publicUrl: string | undefined): boolean {
  if (publicUrl === undefined || publicUrl === '' || !URL.canParse(publicUrl)) return true;
  return loopback.has(new URL(publicUrl).hostname);
}
