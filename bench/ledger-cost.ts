import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { figuresOf, joined, ratios, type Round } from './ledger-cost/round.js';
import { Side } from './ledger-cost/side.js';
import { readOptions } from './read-options.js';

/**
 * What a charge and its settlement cost PostgreSQL, on ledgers of several sizes; of this checkout, or of this and another
 * built one in rounds that take turns. One transaction at a time with one caller, shared ones with many.
 */
const given = readOptions('ledger-cost', {
  /** Charges in the ledger before. */
  history: { type: 'string', default: '1000,2000000' },
  /** Of 30 days each, in which they were made. */
  periods: { type: 'string', default: '2' },
  callers: { type: 'string', default: '1,16,64' },
  /** Of a round. */
  calls: { type: 'string', default: '8000' },
  rounds: { type: 'string', default: '2' },
  beside: { type: 'string' },
  /** Keeps the databases there, for further runs. */
  data: { type: 'string' },
  json: { type: 'string' },
});
const calls = Number(given.calls);
const rounds = Number(given.rounds);
const checkouts = Object.entries({
  ours: '.',
  ...(given.beside === undefined ? {} : { beside: given.beside }),
});

type Row = Readonly<Record<string, string | number | undefined>>;

async function main(): Promise<void> {
  const rows: Row[] = [];
  for (const history of numbersIn(given.history)) {
    const measured = await measureAt(history);
    console.table(measured);
    rows.push(...measured);
  }
  if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
}

async function measureAt(history: number): Promise<Row[]> {
  const sides: Side[] = [];
  try {
    for (const [name, checkout] of checkouts) {
      const directory = given.data && resolve(given.data, `${name}-${history}`);
      const periods = Number(given.periods);
      sides.push(await Side.open({ name, checkout: resolve(checkout), history, periods, directory }));
    }
    const rows: Row[] = [];
    for (const callers of numbersIn(given.callers)) {
      const figures = (await playInTurns(sides, callers)).map(figuresOf);
      rows.push(...figures.map((own, index) => ({ history, callers, side: sides[index]?.name, ...own })));
      const [ours, beside] = figures;
      if (ours && beside) rows.push({ history, callers, side: 'ours / beside', ...ratios(ours, beside) });
    }
    return rows;
  } finally {
    for (const side of sides) await side.stop();
  }
}

async function playInTurns(sides: readonly Side[], callers: number): Promise<Round[]> {
  const played = sides.map((): Round[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, side] of sides.entries()) played[index]?.push(await side.play({ callers, calls }));
  }
  return played.map(joined);
}

function numbersIn(list: string): number[] {
  return list.split(',').map(Number);
}

await main();
