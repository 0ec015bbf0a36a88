import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

/** What the parent process asks for: calls for so long. */
export interface Stage {
  readonly url: string;
  readonly keys: readonly string[];
  readonly seconds: number;
  /** So many a second, whether or not they are answered; or so many callers, each with one call at a time. */
  readonly load: { readonly perSecond: number } | { readonly callers: number };
}

/** What became of a stage's calls; times in ms. */
export interface StageResult {
  readonly offered: number;
  readonly acceptedMs: readonly number[];
  readonly refusedMs: readonly number[];
  /** Status, or 0 for a connection that broke, and how often. */
  readonly others: Readonly<Record<string, number>>;
}

const tickMs = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 4_000 });

/** Calls in a process of its own, so that they leave in time however busy the one is that counts them. */
async function play({ url, keys, load, seconds }: Stage): Promise<StageResult> {
  const acceptedMs: number[] = [];
  const refusedMs: number[] = [];
  const others: Record<string, number> = {};
  const calls: Promise<void>[] = [];
  const call = (number: number): Promise<void> =>
    new Promise((resolve) => {
      const startedAt = performance.now();
      const done = (status: number): void => {
        const tookMs = performance.now() - startedAt;
        if (status === 200) acceptedMs.push(tookMs);
        else if (status === 503) refusedMs.push(tookMs);
        else others[status] = (others[status] ?? 0) + 1;
        resolve();
      };
      const headers = { authorization: `Bearer ${keys[number % keys.length]}` };
      const sent = request(url, { agent, headers }, (reply) => {
        reply.resume();
        reply.on('end', () => done(reply.statusCode ?? 0));
        reply.on('error', () => done(0));
      });
      sent.on('error', () => done(0));
      sent.end();
    });
  const startedAt = performance.now();
  if ('callers' in load) {
    const caller = async (): Promise<void> => {
      while (performance.now() - startedAt < seconds * 1_000) {
        const next = call(calls.length);
        calls.push(next);
        await next;
      }
    };
    await Promise.all(Array.from({ length: load.callers }, caller));
    return { offered: calls.length, acceptedMs, refusedMs, others };
  }
  const { perSecond } = load;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = (performance.now() - startedAt) / 1_000;
      const due = Math.min(seconds, elapsed) * perSecond;
      while (calls.length < due) calls.push(call(calls.length));
      if (elapsed < seconds) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  await Promise.all(calls);
  return { offered: calls.length, acceptedMs, refusedMs, others };
}

process.on('message', (stage: Stage) => {
  void play(stage).then((result) => process.send?.(result));
});
