import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { LoadGenerator } from './overload/load-generator.js';
import { readOptions } from './read-options.js';
import { type Calls, drawCalls, mix } from './whole-call/calls.js';
import { compareAnswers } from './whole-call/compare-answers.js';
import { MonolithSide } from './whole-call/monolith-side.js';
import { joined, playRound, type Round } from './whole-call/round.js';
import { type Side } from './whole-call/side.js';
import { StackSide } from './whole-call/stack-side.js';
import { heading, linesOf, type Row } from './whole-call/table.js';

/**
 * Paid calls, from HTTP to the ledger and back, beside a monolith that does the same, or beside another built checkout: in
 * short rounds that take turns, because other programs may run too. The callers share this machine.
 */
const given = readOptions('whole-call', {
  creators: { type: 'string', default: '10000' },
  callers: { type: 'string', default: '1,16,64,256' },
  keys: { type: 'string', default: '3000' },
  seconds: { type: 'string', default: '10' },
  rounds: { type: 'string', default: '2' },
  beside: { type: 'string' },
  'pool-size': { type: 'string', default: '20' },
  json: { type: 'string' },
});
const creators = Number(given.creators);
const keys = Number(given.keys);
const seconds = Number(given.seconds);
const rounds = Number(given.rounds);
const keysPerAccount = 5;
/** Of the comparison of answers only: their searches count against no other limit. */
const comparedAccounts = 2;
const accounts = comparedAccounts + Math.ceil(keys / keysPerAccount);
/** Code that runs for the first time runs several times slower. */
const warmUp = { callers: 64, seconds: 10 };

async function main(): Promise<void> {
  const sides: Side[] = [];
  const generator = new LoadGenerator();
  try {
    const ours = await filled(StackSide.open('ours', resolve('.'), { creators, accounts }));
    sides.push(ours);
    const other = await filled(openOther(ours));
    sides.push(other);
    const calls = drawCalls(creators);
    const compared = await compareAnswers(ours, other, comparedAccounts, calls);
    print(`${compared} answers are the same; ${creators} creators, ${keys} keys`);
    const rows = await measureAll(generator, [ours, other], calls);
    for (const side of sides) await side.audit();
    if (given.json) {
      writeFileSync(given.json, `${JSON.stringify({ creators, keys, seconds, rounds, rows }, null, 2)}\n`);
    }
  } finally {
    generator.stop();
    for (const side of sides.reverse()) await side.stop();
  }
}

async function filled<One extends Side>(opening: Promise<One>): Promise<One> {
  const startedAt = performance.now();
  const side = await opening;
  const took = Math.round((performance.now() - startedAt) / 1_000);
  print(`${side.name}: ${creators} creators and ${accounts} accounts after ${took} s`);
  return side;
}

function openOther(ours: StackSide): Promise<Side> {
  if (given.beside !== undefined) {
    return StackSide.open('beside', resolve(given.beside), { creators, accounts });
  }
  const { postgres } = ours;
  return MonolithSide.open({ postgres, creators, accounts: ours.accounts, poolSize: given['pool-size'] });
}

async function measureAll(
  generator: LoadGenerator,
  sides: readonly [Side, Side],
  calls: Calls,
): Promise<Row[]> {
  // The rate limit refuses the searches of a single key, so it reads profiles.
  const paths = keys === 1 ? calls.profiles : mix(calls);
  const play = (side: Side, load: { callers: number; seconds: number }): Promise<Round> => {
    const own = side.accounts.slice(comparedAccounts).flat().slice(0, keys);
    return playRound(generator, side, { ...load, keys: own, paths });
  };
  for (const side of sides) await play(side, warmUp);
  print(heading);
  const rows: Row[] = [];
  for (const callers of given.callers.split(',').map(Number)) {
    const played: [Round[], Round[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      for (const index of [0, 1] as const) played[index].push(await play(sides[index], { callers, seconds }));
    }
    const rowOf = (index: 0 | 1): Row => ({
      side: sides[index].name,
      callers,
      result: joined(played[index]),
    });
    const pair = [rowOf(0), rowOf(1)] as const;
    linesOf(...pair).forEach(print);
    rows.push(...pair);
  }
  return rows;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
