import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startStack } from '@app/testing';
import { AdminClient, path } from '../tools/cli/admin-client.js';
import { percentile } from './search/measure.js';
import { makeKeys } from './stack/consumers.js';
import { importCreators } from './stack/import-creators.js';
import { type Stage, type StageResult } from './overload/generator.js';

/**
 * What the stack does at a multiple of its capacity: profiles, which no rate limit bounds, are asked for at a fixed rate by
 * another process. Everything, the callers included, shares this machine.
 */
const { values: given } = parseArgs({
  options: {
    creators: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '10' },
    'in-flight-min': { type: 'string', default: '16' },
    json: { type: 'string' },
  },
});
const seconds = Number(given.seconds);
const unloadedShare = 0.2;
/** Enough to keep everything busy. */
const busyCallers = 16;
/** How long a load lasts before it is measured: first the burst with which it begins is worked off. */
const settlingSeconds = 3;
const multiples = [1, 2, 3];

interface Row {
  readonly load: string;
  readonly offeredPerSecond: number;
  readonly acceptedPerSecond: number;
  readonly refused: number;
  readonly settlingP99Ms: number;
  readonly acceptedP50Ms: number;
  readonly acceptedP99Ms: number;
  readonly refusedP99Ms: number;
  readonly others: Readonly<Record<string, number>>;
}

async function main(): Promise<void> {
  const stack = await startStack({
    environment: { LOG_LEVEL: 'warn', IN_FLIGHT_MIN: given['in-flight-min'] },
  });
  const generator = fork(fileURLToPath(new URL('./overload/generator.js', import.meta.url)));
  try {
    const admin = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    const [first] = await importCreators(admin, Number(given.creators), 1);
    const keys = (await Promise.all(Array.from({ length: 16 }, () => makeKeys(admin)))).flat();
    const url = `${stack.publicUrl}/api/public/v1/creators/${first}`;
    const play = async (load: Stage['load'], forSeconds = seconds): Promise<StageResult> => {
      generator.send({ url, keys, load, seconds: forSeconds, settlingSeconds } satisfies Stage);
      const [result] = (await once(generator, 'message')) as [StageResult];
      return result;
    };
    await play({ perSecond: 200 }, 3);
    const busy = await play({ callers: busyCallers });
    const capacity = busy.acceptedMs.length / seconds;
    print(`capacity: about ${Math.round(capacity)} calls a second`);
    await wait(3_000);
    const rows: Row[] = [];
    for (const multiple of [unloadedShare, ...multiples]) {
      rows.push(rowOf(`${multiple} x`, await play({ perSecond: capacity * multiple })));
      await wait(2_000);
    }
    const audit = await admin.call<{ ok: boolean }>({ method: 'GET', path: path('ledger', 'audit') });
    printRows(rows);
    print(`audit ${audit.ok ? 'ok' : 'FAILED'}`);
    if (given.json) writeFileSync(given.json, `${JSON.stringify({ capacity, rows }, null, 2)}\n`);
  } finally {
    generator.kill();
    await stack.stop();
  }
}

function rowOf(load: string, { offered, settlingMs, acceptedMs, refusedMs, others }: StageResult): Row {
  return {
    load,
    offeredPerSecond: Math.round(offered / seconds),
    acceptedPerSecond: Math.round(acceptedMs.length / seconds),
    refused: refusedMs.length,
    settlingP99Ms: percentile([...settlingMs], 0.99),
    acceptedP50Ms: percentile([...acceptedMs], 0.5),
    acceptedP99Ms: percentile([...acceptedMs], 0.99),
    refusedP99Ms: refusedMs.length === 0 ? 0 : percentile([...refusedMs], 0.99),
    others,
  };
}

function printRows(rows: readonly Row[]): void {
  for (const row of rows) {
    print(
      `${row.load.padEnd(6)} offered ${String(row.offeredPerSecond).padStart(5)}/s, accepted ${String(row.acceptedPerSecond).padStart(5)}/s ` +
        `p50 ${row.acceptedP50Ms.toFixed(1).padStart(6)} ms p99 ${row.acceptedP99Ms.toFixed(1).padStart(6)} ms (${row.settlingP99Ms.toFixed(0)} ms in the first ${settlingSeconds} s), ` +
        `refused ${String(row.refused).padStart(6)} p99 ${row.refusedP99Ms.toFixed(1).padStart(6)} ms, others ${JSON.stringify(row.others)}`,
    );
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
