/** A signal of the caller was aborted, for this reason. */
export class Aborted extends Error {
  constructor(readonly reason: unknown) {
    super('aborted');
  }
}

type Listener = (reason: unknown) => void;

/** Listeners by signal. A signal may serve thousands of calls and gets one listener of ours, not one for each. */
const waiting = new WeakMap<AbortSignal, Set<Listener>>();

/**
 * Calls `listener` with the reason when one of the signals is aborted, at once when one is already. Returns the function
 * that ends this. `AbortSignal.any` would do, but in some versions of Node.js and Deno every call leaves something behind
 * on a signal that lives long.
 */
export function onAbort(signals: readonly AbortSignal[], listener: Listener): () => void {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) {
    listener(aborted.reason);
    return () => undefined;
  }
  const ends = signals.map((signal) => listen(signal, listener));
  return () => ends.forEach((end) => end());
}

function listen(signal: AbortSignal, listener: Listener): () => void {
  const listeners = waiting.get(signal) ?? startListening(signal);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stopListening(signal);
  };
}

function startListening(signal: AbortSignal): Set<Listener> {
  const listeners = new Set<Listener>();
  waiting.set(signal, listeners);
  signal.addEventListener('abort', notifyListeners);
  return listeners;
}

function stopListening(signal: AbortSignal): void {
  waiting.delete(signal);
  signal.removeEventListener('abort', notifyListeners);
}

function notifyListeners(this: AbortSignal): void {
  for (const listener of waiting.get(this) ?? []) listener(this.reason);
}

/** Resolves after `ms`. Throws `Aborted` as soon as one of the signals is. */
export function wait(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      ignore();
      resolve();
    }, ms);
    const ignore = onAbort(signals, (reason) => {
      clearTimeout(timer);
      reject(new Aborted(reason));
    });
  });
}
