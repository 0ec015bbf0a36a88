import { readdirSync, readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

const niceness = 10;
/** Elsewhere threads have no priorities of their own. */
const isLinux = process.platform === 'linux';

/** Lets the calling thread run behind those that answer requests, when there are more to run than processors. */
export function yieldToOthers(): void {
  if (!isLinux) return;
  const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(threadId, niceness);
}

/**
 * The same for the threads that Node has started by now beside the first one. What V8 compiles there is mostly the code of
 * threads that are new: those of an import.
 */
export function lowerV8ThreadPriority(): void {
  if (!isLinux) return;
  for (const threadId of readdirSync('/proc/self/task').map(Number)) {
    if (threadId !== process.pid) lower(threadId);
  }
}

function lower(threadId: number): void {
  try {
    setPriority(threadId, niceness);
  } catch (error) {
    const { code } = (error as { info?: { code?: string } }).info ?? {};
    // One that has ended meanwhile.
    if (code !== 'ESRCH') throw error;
  }
}
