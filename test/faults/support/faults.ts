import { setTimeout as wait } from 'node:timers/promises';
import { type ProcessName } from '#dev';
import fc from 'fast-check';
import { type FaultStack, limits, processNames } from './fault-stack.js';

const linkNames = [
  'gateway-redis',
  'catalog-redis',
  'billing-redis',
  'catalog-postgres',
  'billing-postgres',
] as const;

/** One thing that goes wrong with a stack, or with its servers. */
export interface Fault<Target = FaultStack> {
  readonly kind: string;
  /** A process, or the link between a service and its server. */
  readonly target: string;
  /** Resolves when it is over: the process runs again, the link passes everything. */
  inject(target: Target): Promise<void>;
  /** Resolves once the next fault may come; default: as soon as all is well for the clients. */
  overcome?(target: Target): Promise<void>;
}

/** Draws `count` faults: every 25 have each kind on each target once, in an order that the seed decides. */
export function drawFaults(count: number, replicas: number, seed: number): Fault[] {
  const index = fc.nat(replicas - 1);
  const size = { minLength: 25, maxLength: 25 };
  const decks = fc.tuple(fc.array(index, size), fc.array(fc.double({ min: 0, max: 1, noNaN: true }), size));
  const faults = fc.sample(decks, { seed, numRuns: Math.ceil(count / 25) }).flatMap(([replicaOf, numbers]) =>
    deck((position) => ({ replica: replicaOf[position] ?? 0, strength: numbers[position] ?? 0 }))
      .map((fault, position) => ({ fault, order: numbers[position] ?? 0 }))
      .sort((one, other) => one.order - other.order)
      .map(({ fault }) => fault),
  );
  return faults.slice(0, count);
}

interface Draw {
  readonly replica: number;
  /** From 0 to 1: how long or how badly. */
  readonly strength: number;
}

function deck(drawFor: (position: number) => Draw): Fault[] {
  let position = 0;
  const draw = () => drawFor(position++);
  return [
    ...processNames.flatMap((name) => [kill(name, draw()), pause(name, draw())]),
    ...linkNames.flatMap((name) => [cut(name), delay(name, draw()), drop(name, draw())]),
  ];
}

function replicaOf(name: ProcessName, { replica }: Draw): number {
  return name === 'redis' || name === 'postgres' ? 0 : replica;
}

function kill(name: ProcessName, draw: Draw): Fault {
  return {
    kind: 'kill',
    target: name,
    inject: (stack) => stack.kill(name, replicaOf(name, draw)),
  };
}

/** Longer than a request may take, at times longer than a charge may stay pending. */
function pause(name: ProcessName, draw: Draw): Fault {
  const ms = limits.requestDeadlineMs + 100 + draw.strength * 1_400;
  return {
    kind: 'pause',
    target: name,
    inject: (stack) => stack.pause(name, replicaOf(name, draw), () => wait(ms)),
  };
}

function cut(name: string): Fault {
  return {
    kind: 'cut',
    target: name,
    inject(stack) {
      stack.links.get(name)?.cut();
      return Promise.resolve();
    },
  };
}

function delay(name: string, { strength }: Draw): Fault {
  return {
    kind: 'delay',
    target: name,
    inject: async (stack) => stack.links.get(name)?.delay(50 + strength * 1_500, 1_000),
  };
}

function drop(name: string, { strength }: Draw): Fault {
  return {
    kind: 'drop',
    target: name,
    inject: async (stack) => stack.links.get(name)?.dropReplies(100 + strength * 1_500),
  };
}
