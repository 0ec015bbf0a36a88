import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import autocannon, { type Client } from 'autocannon';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { percentile } from './harness/percentile.js';
import { generatedShapes, searchPath } from './harness/queries.js';
import { readOptions } from './harness/read-options.js';
import { RunningStack } from './harness/running-stack.js';

/**
 * Paid calls, from HTTP to the ledger and back, of this checkout; with `--beside` also of another checkout, in rounds that take
 * turns, because other programs may run too. The callers share this machine.
 */
const given = readOptions('whole-call', {
  creators: { type: 'string', default: '10000' },
  callers: { type: 'string', default: '1,16,64' },
  seconds: { type: 'string', default: '10' },
  rounds: { type: 'string', default: '3' },
  beside: { type: 'string' },
  json: { type: 'string' },
});
const creators = Number(given.creators);
const rounds = Number(given.rounds);
const seed = 1;
/** Within the rate limit of each key, also at the fastest round. */
const accounts = 600;
const profilesMax = 1_000;
/** Requests that one connection repeats. */
const requestsOfConnection = 200;
/** Code that runs for the first time runs several times slower. */
const warmUp = { callers: 64, seconds: 10 };
/** Time for work after an answer, such as settlements. */
const afterwardsMs = 1_000;

interface Side {
  readonly stack: RunningStack;
  readonly keys: readonly string[];
}

const figures = ['callsPerSecond', 'meanMs', 'p50Ms', 'p99Ms', 'cpuMsPerCall', 'walBytesPerCall'] as const;
type Round = Readonly<Record<(typeof figures)[number], number>>;

async function main(): Promise<void> {
  const sides: Side[] = [];
  try {
    sides.push(await open('ours', '.'));
    if (given.beside !== undefined) sides.push(await open('beside', given.beside));
    const paths = drawPaths();
    for (const side of sides) await measureRound(side, paths, warmUp);
    const rows = [];
    for (const callers of given.callers.split(',').map(Number)) {
      const measured = await measureInTurns(sides, paths, callers);
      console.table(measured);
      rows.push(...measured);
    }
    for (const { stack } of sides) await stack.audit();
    if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
  } finally {
    for (const { stack } of sides) await stack.stop();
  }
}

async function open(name: string, checkout: string): Promise<Side> {
  const stack = await RunningStack.start(name, resolve(checkout));
  await stack.importCreators(creators, seed);
  return { stack, keys: await stack.createKeys(accounts) };
}

/** Two searches of the published mix for each profile, none of them sorted: checkouts before 1.0.0 refuse that. */
function drawPaths(): string[] {
  const searches = generatedShapes(creators, seed)
    .flatMap(({ queries }) => queries)
    .filter(({ sort }) => sort === undefined)
    .map(searchPath);
  const profiles = [...generateCreators({ count: Math.min(creators, profilesMax), seed })].filter(
    ({ published }) => published !== false,
  );
  const search = (number: number): string => searches[(number * 7) % searches.length] ?? '';
  return profiles.flatMap(({ slug }, number) => [
    search(2 * number),
    search(2 * number + 1),
    `/api/public/v1/creators/${slug}`,
  ]);
}

async function measureInTurns(sides: readonly Side[], paths: readonly string[], callers: number) {
  const measured = sides.map((): Round[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, side] of sides.entries()) {
      measured[index]?.push(await measureRound(side, paths, { callers, seconds: Number(given.seconds) }));
    }
  }
  const results = measured.map(medians);
  const rows = results.map((result, index) => ({ callers, side: sides[index]?.stack.name, ...result }));
  const [ours, other] = results;
  return ours && other ? [...rows, { callers, side: 'ours / beside', ...ratios(ours, other) }] : rows;
}

/** Measures one side with so many callers. Throws when a call fails. */
async function measureRound(
  { stack, keys }: Side,
  paths: readonly string[],
  { callers, seconds }: { callers: number; seconds: number },
): Promise<Round> {
  const before = await stack.usage();
  let connections = 0;
  const result = await autocannon({
    url: stack.origin,
    connections: callers,
    duration: seconds,
    setupClient: (client: Client) => {
      const first = requestsOfConnection * connections++;
      client.setRequests(
        Array.from({ length: requestsOfConnection }, (_, number) => ({
          path: paths[(first + number) % paths.length],
          headers: { authorization: `Bearer ${keys[(first + number) % keys.length]}` },
        })),
      );
    },
  });
  if (result.non2xx + result.errors > 0) {
    throw new Error(`calls to ${stack.name} failed: ${JSON.stringify(result.statusCodeStats)}`);
  }
  await new Promise((done) => setTimeout(done, afterwardsMs));
  const after = await stack.usage();
  const calls = result['2xx'];
  const cpu = Object.entries(after.cpuMs).reduce(
    (sum, [part, ms]) => sum + ms - (before.cpuMs[part] ?? 0),
    0,
  );
  return {
    callsPerSecond: calls / result.duration,
    meanMs: (callers * result.duration * 1_000) / calls,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    cpuMsPerCall: cpu / calls,
    walBytesPerCall: (after.walBytes - before.walBytes) / calls,
  };
}

function medians(measured: readonly Round[]): Round {
  return perFigure((figure) =>
    percentile(
      measured.map((round) => round[figure]),
      0.5,
    ),
  );
}

function ratios(ours: Round, other: Round): Round {
  return perFigure((figure) => ours[figure] / other[figure]);
}

function perFigure(valueOf: (figure: keyof Round) => number): Round {
  const entries = figures.map((figure) => [figure, Number(valueOf(figure).toPrecision(3))]);
  return Object.fromEntries(entries) as Round;
}

await main();
