import { type ServiceName, serviceNames } from '@app/local-stack';
import { resolve } from 'node:path';
import { percentile } from './percentile.js';
import { readOptions } from './read-options.js';
import { Checkout, type Start } from './startup/checkout.js';

/**
 * How long each service takes from its start until it is ready, and what that costs. With `--beside`, also for another
 * built checkout, in turns. Prints medians.
 */
const given = readOptions('startup', {
  rounds: { type: 'string', default: '10' },
  beside: { type: 'string' },
  /** Options of Node.js for the other checkout, separated by spaces. */
  'beside-options': { type: 'string', default: '' },
});

async function main(): Promise<void> {
  const names: string[] = [];
  const checkouts: Checkout[] = [];
  const open = async (name: string, directory: string, options: readonly string[]): Promise<void> => {
    checkouts.push(await Checkout.open(resolve(directory), options));
    names.push(name);
  };
  try {
    await open('this one', '.', []);
    if (given.beside !== undefined) {
      await open(given.beside, given.beside, given['beside-options'].split(' ').filter(Boolean));
    }
    process.stdout.write('service   checkout              ready ms   CPU ms   memory MB\n');
    for (const service of serviceNames) {
      const starts = await startInTurns(service, checkouts);
      starts.forEach((own, index) => print(service, names[index] ?? '', own));
    }
  } finally {
    await Promise.all(checkouts.map((checkout) => checkout.close()));
  }
}

/** The one that begins changes with every round. */
async function startInTurns(service: ServiceName, checkouts: readonly Checkout[]): Promise<Start[][]> {
  const starts: Start[][] = checkouts.map(() => []);
  for (let round = 0; round < Number(given.rounds); round++) {
    for (let turn = 0; turn < checkouts.length; turn++) {
      const index = (round + turn) % checkouts.length;
      const start = await checkouts[index]?.start(service);
      if (start) starts[index]?.push(start);
    }
  }
  return starts;
}

function print(service: ServiceName, name: string, starts: readonly Start[]): void {
  const figures = [
    median(starts.map(({ readyMs }) => readyMs)).padStart(8),
    median(starts.map(({ cpuMs }) => cpuMs)).padStart(8),
    median(starts.map(({ memoryMb }) => memoryMb)).padStart(11),
  ];
  process.stdout.write(`${service.padEnd(10)}${name.slice(-20).padEnd(22)}${figures.join(' ')}\n`);
}

function median(values: readonly number[]): string {
  return percentile(values, 0.5).toFixed(0);
}

await main();
