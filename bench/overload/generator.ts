import { performance } from 'node:perf_hooks';
import { ClosedLoadPlayer } from './closed-load.js';
import { Connector } from './connector.js';
import { type LoadResult, type Order } from './load.js';
import { playBurst, playOpenLoad } from './open-load.js';
import { Tally } from './tally.js';

/** Longer than any call may take: what has no answer then is given up. */
const patienceMs = 15_000;

/** Calls in a process of its own, so that they leave and are timed however busy the one is that asks for them. */
async function play({ origin, load, settlingSeconds, seconds }: Order): Promise<LoadResult> {
  const connector = new Connector(origin);
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const from = startedAt + settlingSeconds * 1_000;
  const until = from + seconds * 1_000;
  const names = load.kind === 'closed' ? load.groups.map(({ name }) => name) : [load.kind];
  // A burst is over when it is over.
  const tallies = names.map((name) => new Tally(name, from, load.kind === 'burst' ? Infinity : until));
  const patience = setTimeout(() => connector.closeAll(), until - startedAt + patienceMs);
  const unsent = await playLoad();
  clearTimeout(patience);
  const endedAt = performance.now();
  const { user, system } = process.cpuUsage(cpuBefore);
  connector.closeAll();
  return {
    groups: tallies.map((tally) => tally.result()),
    seconds: (Math.min(endedAt, until) - from) / 1_000,
    unsent,
    generatorCpu: (user + system) / 1_000 / (endedAt - startedAt),
  };

  async function playLoad(): Promise<number> {
    const [tally = new Tally('', from, until)] = tallies;
    switch (load.kind) {
      case 'closed':
        await new ClosedLoadPlayer(load, connector, until).play(tallies);
        return 0;
      case 'open':
        return playOpenLoad(load, connector, tally, until);
      case 'burst':
        await playBurst(load, connector, tally);
        return 0;
    }
  }
}

process.on('message', (order: Order) => {
  void play(order).then((result) => process.send?.(result));
});
