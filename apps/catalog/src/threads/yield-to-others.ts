import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

const niceness = 10;

/**
 * Lets the calling thread run behind those that answer requests, when there are more to run than processors. Linux alone has
 * priorities of threads; elsewhere nothing changes.
 */
export function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(threadId, niceness);
}
