import { setTimeout as wait } from 'node:timers/promises';
import { type LoadGenerator } from './load-generator.js';
import { type CallerGroup, type GroupResult, type LoadResult, type Order } from './load.js';
import { atLeast, atMost, type Row, rowOf } from './row.js';

/** What all stages are played against. */
export interface Ground {
  readonly generator: LoadGenerator;
  readonly origin: string;
  readonly profilePath: string;
  readonly searchPaths: readonly string[];
  /** Keys of each account. */
  readonly accounts: readonly (readonly string[])[];
  /** Keys that only searches use. */
  readonly searchKeys: readonly string[];
  /** A key of an account of its own. */
  readonly greedyKey: string;
  /** Of the open load; the other loads last a sixth of it. */
  readonly seconds: number;
  readonly show: (row: Row) => void;
}

type Stage = (ground: Ground) => Promise<void>;

const closedSettlingSeconds = 3;
const openSettlingSeconds = 5;
const pauseMs = 3_000;
const lightShare = 0.2;
const overload = 3;
/** Of the 60 that the rate limit lets through. */
const searchesPerKey = 50;

/** By the names that `--stages` knows. */
export const stages: Readonly<Record<string, Stage>> = { closed, search, open, burst, recovery, greedy };

/** Code that runs for the first time runs several times slower. */
export async function warmUp(ground: Ground): Promise<void> {
  await playProfiles(ground, 16);
}

/** Answers a second with 16 callers: measured beside everything that is compared with it, because other programs may run too. */
async function measureCapacity(ground: Ground): Promise<number> {
  const result = await playProfiles(ground, 16);
  ground.show(rowOf('closed loop, 16 callers', result));
  return perSecond(result);
}

async function closed(ground: Ground): Promise<void> {
  let before = await measureCapacity(ground);
  for (const callers of [64, 256, 1_000]) {
    const result = await playProfiles(ground, callers);
    const after = await measureCapacity(ground);
    const share = perSecond(result) / ((before + after) / 2);
    before = after;
    const targets =
      callers === 1_000
        ? [atLeast('of 16’s answers', share, 0.75)]
        : [atLeast('of 16’s answers', share, 0.9), atMost('refused', refusedShare(result), 0.1)];
    ground.show(rowOf(`closed loop, ${callers} callers`, result, { share, targets }));
  }
}

async function search(ground: Ground): Promise<void> {
  const play = (callers: number, part: number): Promise<LoadResult> => {
    const half = Math.floor(ground.searchKeys.length / 2);
    const keys = ground.searchKeys.slice(part * half, (part + 1) * half);
    const group: CallerGroup = { name: 'searches', callers, keys, paths: ground.searchPaths, keyFor: 'call' };
    const load = { kind: 'closed', groups: [group], callsMost: keys.length * searchesPerKey } as const;
    return playLoad(ground, { load, settlingSeconds: 1, seconds: ground.seconds / 6 });
  };
  const few = await play(16, 0);
  ground.show(rowOf('searches, 16 callers', few));
  const many = await play(64, 1);
  const share = perSecond(many) / perSecond(few);
  const targets = [atLeast('of 16’s answers', share, 0.9), atMost('refused', refusedShare(many), 0.1)];
  ground.show(rowOf('searches, 64 callers', many, { share, targets }));
}

async function open(ground: Ground): Promise<void> {
  const capacity = await measureCapacity(ground);
  const seconds = Math.max(5, ground.seconds - openSettlingSeconds);
  const result = await playOpen(ground, capacity * overload, openSettlingSeconds, seconds);
  const share = perSecond(result) / capacity;
  const [group] = result.groups;
  ground.show(
    rowOf(`open loop, ${overload} x capacity, ${ground.seconds} s`, result, {
      share,
      targets: [
        atLeast('of the capacity', share, 0.85),
        atMost('p99 of the answered, ms', group?.answeredP99Ms ?? 0, 1_200),
        atMost('p99 of the refused, ms', group?.refusedP99Ms ?? 0, 300),
      ],
    }),
  );
}

async function burst(ground: Ground): Promise<void> {
  const calls = 512;
  const load = { kind: 'burst', calls, keys: ground.accounts.flat(), path: ground.profilePath } as const;
  const result = await playLoad(ground, { load, settlingSeconds: 0, seconds: 0 });
  const answered = result.groups[0]?.answered ?? 0;
  ground.show(rowOf(`a burst of ${calls}`, result, { targets: [atLeast('answered', answered, calls)] }));
}

async function recovery(ground: Ground): Promise<void> {
  const capacity = await measureCapacity(ground);
  const seconds = ground.seconds / 6;
  const light = (): Promise<LoadResult> => playOpen(ground, capacity * lightShare, 0, seconds);
  ground.show(rowOf('a light load before an overload', await light()));
  await playOpen(ground, capacity * overload, 0, seconds);
  // With the pause before every load these are the five seconds after which it is asked.
  await wait(5_000 - pauseMs);
  ground.show(rowOf('the same 5 s after it', await light()));
}

async function greedy(ground: Ground): Promise<void> {
  const paths = [ground.profilePath];
  const keys = ground.accounts.slice(0, 16).map(([key = '']) => key);
  const others: CallerGroup = { name: '16 keys', callers: keys.length, keys, paths, keyFor: 'caller' };
  const one = { name: 'one key', callers: 256, keys: [ground.greedyKey], paths, keyFor: 'caller' } as const;
  const seconds = ground.seconds / 6;
  const play = (groups: CallerGroup[]): Promise<LoadResult> =>
    playLoad(ground, { load: { kind: 'closed', groups }, settlingSeconds: closedSettlingSeconds, seconds });
  const alone = await play([others]);
  ground.show(rowOf('16 keys, a caller each', alone));
  const beside = await play([others, one]);
  const times = (beside.groups[0]?.answeredP99Ms ?? 0) / (alone.groups[0]?.answeredP99Ms ?? 1);
  const targets = [atMost('times their p99 before', times, 2)];
  ground.show(rowOf('the same beside one key with 256 callers', beside, { targets }));
  ground.show(rowOf('that one key', beside, { group: 1 }));
}

function playProfiles(ground: Ground, callers: number): Promise<LoadResult> {
  const keys = ground.accounts.flat();
  const paths = [ground.profilePath];
  const group: CallerGroup = { name: 'profiles', callers, keys, paths, keyFor: 'caller' };
  const load = { kind: 'closed', groups: [group] } as const;
  const seconds = ground.seconds / 6;
  return playLoad(ground, { load, settlingSeconds: closedSettlingSeconds, seconds });
}

function playOpen(
  ground: Ground,
  rate: number,
  settlingSeconds: number,
  seconds: number,
): Promise<LoadResult> {
  const keys = ground.accounts.flat();
  const load = { kind: 'open', perSecond: rate, keys, path: ground.profilePath } as const;
  return playLoad(ground, { load, settlingSeconds, seconds });
}

/** After a pause, so that nothing of the load before is left. */
async function playLoad(ground: Ground, order: Omit<Order, 'origin'>): Promise<LoadResult> {
  await wait(pauseMs);
  return ground.generator.play({ ...order, origin: ground.origin });
}

function perSecond({ groups, seconds }: LoadResult): number {
  return (groups[0]?.answered ?? 0) / seconds;
}

function refusedShare({ groups }: LoadResult): number {
  const { refused = 0, answered = 0 }: Partial<GroupResult> = groups[0] ?? {};
  return refused / Math.max(1, refused + answered);
}
