import { readdirSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Relative to the main thread: the process itself may have been started with `nice`. */
const niceness = 10;
/** Elsewhere threads have no priorities of their own. */
const isLinux = process.platform === 'linux';

/**
 * Lowers the priority of the calling thread, so that threads that answer requests run first when processors are scarce.
 */
export function lowerThreadPriority(): void {
  if (!isLinux) return;
  const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(threadId, lowered());
}

/**
 * The same for the threads that Node has started so far besides the main one. V8 compiles there mostly the code of new
 * threads: those of an import.
 */
export function lowerV8ThreadPriority(): void {
  if (!isLinux) return;
  for (const threadId of readdirSync('/proc/self/task').map(Number)) {
    if (threadId !== process.pid) lower(threadId);
  }
}

function lower(threadId: number): void {
  try {
    setPriority(threadId, lowered());
  } catch (error) {
    const { code } = (error as { info?: { code?: string } }).info ?? {};
    // The thread has ended meanwhile.
    if (code !== 'ESRCH') throw error;
  }
}

function lowered(): number {
  return Math.min(getPriority(process.pid) + niceness, constants.priority.PRIORITY_LOW);
}
