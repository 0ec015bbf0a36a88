import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** What the parent process asks for: calls for so long. */
export interface Stage {
  readonly url: string;
  readonly keys: readonly string[];
  /** Measured, after `settlingSeconds` of the same load. */
  readonly seconds: number;
  readonly settlingSeconds: number;
  /** So many a second, whether or not they are answered; or so many callers, each with one call at a time. */
  readonly load: { readonly perSecond: number } | { readonly callers: number };
}

/** What became of a stage's calls; times in ms. */
export interface StageResult {
  readonly offered: number;
  /** Accepted while the load was new. */
  readonly settlingMs: readonly number[];
  readonly acceptedMs: readonly number[];
  readonly refusedMs: readonly number[];
  /** Status, or 0 for a connection that broke, and how often. */
  readonly others: Readonly<Record<string, number>>;
}

const tickMs = 5;
const agent = new Agent({ keepAlive: true, maxSockets: 4_000 });

/** Counts what becomes of calls: those sent before `settledAt` apart. */
class Tally {
  offered = 0;
  readonly settlingMs: number[] = [];
  readonly acceptedMs: number[] = [];
  readonly refusedMs: number[] = [];
  readonly others: Record<string, number> = {};

  constructor(private readonly settledAt: number) {}

  /** Notes that a call is sent now, and gives what notes its end. */
  sent(): (status: number) => void {
    const sentAt = performance.now();
    const isMeasured = sentAt >= this.settledAt;
    if (isMeasured) this.offered += 1;
    return (status) => {
      const tookMs = performance.now() - sentAt;
      if (status === 200) (isMeasured ? this.acceptedMs : this.settlingMs).push(tookMs);
      else if (status !== 503) this.others[status] = (this.others[status] ?? 0) + 1;
      else if (isMeasured) this.refusedMs.push(tookMs);
    };
  }
}

/** Calls in a process of its own, so that they leave in time however busy the one is that counts them. */
async function play(stage: Stage): Promise<StageResult> {
  const { load } = stage;
  const startedAt = performance.now();
  const tally = new Tally(startedAt + stage.settlingSeconds * 1_000);
  const seconds = stage.settlingSeconds + stage.seconds;
  const elapsed = (): number => (performance.now() - startedAt) / 1_000;
  let count = 0;
  const call = (): Promise<void> => callOnce(stage, count++, tally.sent());
  if ('callers' in load) {
    const caller = async (): Promise<void> => {
      while (elapsed() < seconds) await call();
    };
    await Promise.all(Array.from({ length: load.callers }, caller));
    return tally;
  }
  const calls: Promise<void>[] = [];
  while (elapsed() < seconds) {
    while (count < Math.min(seconds, elapsed()) * load.perSecond) calls.push(call());
    await delay(tickMs);
  }
  await Promise.all(calls);
  return tally;
}

function callOnce({ url, keys }: Stage, number: number, ended: (status: number) => void): Promise<void> {
  return new Promise((resolve) => {
    const done = (status: number): void => {
      ended(status);
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
}

process.on('message', (stage: Stage) => {
  void play(stage).then(({ offered, settlingMs, acceptedMs, refusedMs, others }) =>
    process.send?.({ offered, settlingMs, acceptedMs, refusedMs, others }),
  );
});
