import { type Stack } from '#dev';
import { eventually, testSeed } from '#testing';
import fc from 'fast-check';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { breachesOf, type Delivery } from '../support/deliveries.js';
import { send } from '../support/http.js';
import { api, type CreditFields, type ErrorBody } from '../support/public-api.js';
import { exchangeRaw } from '../support/raw-http.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { requestsLeftInFlight } from './support/aftermath.js';
import { residentMib } from './support/flood.js';
import {
  type HostileConnection,
  hostileConnections,
  playConnection,
  type Played,
} from './support/hostile-connections.js';
import { type HostileRequest, hostileRequests } from './support/hostile-requests.js';
import { startOperatedStack } from './support/operated-stack.js';

const count = Number(process.env.HOSTILE_REQUESTS ?? 1_000);
const seed = Number(process.env.HOSTILE_SEED ?? testSeed());
const atOnce = 16;
/** So many requests for one connection with several requests. */
const requestsPerConnection = 5;
/** About two searches in five requests, and the rate limit lets 60 of a key through. */
const searchesPerAccount = 5 * 55;
const credits = 100_000;
/** Where memory is plenty V8 collects late, Node 24 more so than 20: with less of it growth is what is held for good. */
const heapMb = 128;
const growthMaxMib = 200;
const settledWithinMs = 5_000;
const internals =
  /node_modules|\bat [\w.]+ \(|\/src\/|SELECT |INSERT |syntax error|ECONN|relation "|undefined|\[object/;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Partial<CreditFields & ErrorBody>;
}

let stack: Stack;
let accounts: TestAccount[];
/** Their clients may not see what they are charged for. */
let wireAccounts: TestAccount[];
let attacks: (HostileRequest | HostileConnection)[];
const catalog = new SuiteCatalog();
const creator = catalog.record('someone', { name: catalog.marker });

beforeAll(async () => {
  stack = await startOperatedStack({ environment: { NODE_OPTIONS: `--max-old-space-size=${heapMb}` } });
  await catalog.importVisible([creator]);
  const accountCount = Math.ceil(count / searchesPerAccount);
  accounts = await Promise.all(
    Array.from({ length: accountCount }, () => createFundedAccount({ credits, keys: 5 })),
  );
  wireAccounts = await Promise.all([1, 2, 3].map(() => createFundedAccount({ credits, keys: 5 })));
  const victim = await createFundedAccount({ credits: 0, keys: 1 });
  const keysOf = (owners: readonly TestAccount[]): string[] =>
    owners.flatMap(({ keys }) => keys.map(({ key }) => key));
  const requests = hostileRequests({
    keys: keysOf(accounts),
    adminToken: stack.adminToken,
    accountId: victim.id,
    slug: creator.slug,
  });
  const known = { slug: creator.slug, word: catalog.marker };
  const connections = hostileConnections(keysOf(wireAccounts), known);
  const either = fc.oneof({ arbitrary: requests, weight: requestsPerConnection }, connections);
  attacks = fc.sample<HostileRequest | HostileConnection>(either, { numRuns: count, seed });
}, 120_000);

afterAll(() => stack?.stop());

it(
  `${count} hostile requests are answered, none with a 5xx, and only answers that were served are charged`,
  async () => {
    const pids = JSON.stringify(stack.pids);
    const statuses = new Map<string, number>();
    const deliveries: Delivery[] = [];
    let creditsSeen = 0;
    const before = memoryMib();
    const tally = (name: string): Map<string, number> => statuses.set(name, (statuses.get(name) ?? 0) + 1);
    const attack = async (): Promise<void> => {
      for (let hostile = attacks.pop(); hostile; hostile = attacks.pop()) {
        if ('requests' in hostile) {
          const played = await playConnection(stack.publicUrl, hostile);
          deliveries.push(...played.deliveries);
          checkConnection(hostile, played);
          for (const { status } of played.answers) tally(`${hostile.kind} ${status}`);
          continue;
        }
        const answer = await ask(hostile).catch((error: unknown) => {
          throw new Error(`no answer to ${shown(hostile)}`, { cause: error });
        });
        check(hostile, answer);
        creditsSeen += answer.status === 200 ? (answer.body.credits_used ?? 0) : 0;
        tally(`${hostile.kind} ${answer.status}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, attack));

    const table = [...statuses].sort().map(([name, times]) => `${name}: ${times}`);
    process.stdout.write(`hostile requests: ${count}; ${table.join(', ')}; HOSTILE_SEED=${seed}\n`);
    await eventually(async () => {
      let taken = accounts.length * credits;
      for (const { id } of accounts) taken -= await admin.balance(id);
      expect(taken).toBe(creditsSeen);
    }, 5_000);
    const entries = await settledLedgers(
      wireAccounts.map(({ id }) => id),
      settledWithinMs,
    );
    expect(breachesOf(deliveries, entries)).toMatchObject({ underpaid: [], overpaid: [], foreign: [] });
    expect(await requestsLeftInFlight(stack)).toBe(0);
    expect(JSON.stringify(stack.pids)).toBe(pids);
    expect(memoryMib() - before).toBeLessThan(growthMaxMib);
    expect((await admin.audit()).ok).toBe(true);
    expect((await api.profile(creator.slug, accounts[0]?.keys[0]?.key ?? '')).status).toBe(200);
  },
  60_000 + count * 20,
);

async function ask(request: HostileRequest): Promise<Answer> {
  const origin = request.api === 'public' ? stack.publicUrl : stack.adminUrl;
  if (!('raw' in request)) {
    const { status, text, body } = await send<Answer['body'] | undefined>(origin, request.path, request);
    return { status, text, body: body ?? {} };
  }
  const { status, body } = await exchangeRaw(origin, request.raw);
  return { status, text: body, body: body === '' ? {} : (JSON.parse(body) as Answer['body']) };
}

function checkConnection(hostile: HostileConnection, { answers, isComplete }: Played): void {
  if (isComplete && answers.length < hostile.requests.length) {
    throw new Error(`${answers.length} of ${hostile.requests.length} answers to ${shown(hostile)}`);
  }
  for (const { status, body } of answers) {
    const text = body.toString('utf8');
    check(hostile, { status, text, body: JSON.parse(text) as Answer['body'] });
  }
}

function check(request: HostileRequest | HostileConnection, { status, text, body }: Answer): void {
  const complain = (what: string): never => {
    throw new Error(`${what}: ${status} ${text.slice(0, 500)} to ${shown(request)}`);
  };
  if (!(status >= 200 && status < 500)) complain('not a status that a request may cause');
  if (status >= 400 && request.kind !== 'method' && typeof body.error !== 'string') {
    complain('no error in the body');
  }
  if (status === 400 && Object.keys(body.details ?? {}).length === 0) complain('a 400 without details');
  if (status !== 200 && 'credits_used' in body) complain('credits without success');
  if (status >= 400 && internals.test(body.error ?? '')) complain('internals in the error');
  if (text.includes(stack.adminToken)) complain('a secret in the body');
}

function shown(request: HostileRequest | HostileConnection): string {
  return `${JSON.stringify(request).slice(0, 1_500)} (HOSTILE_SEED=${seed})`;
}

function memoryMib(): number {
  const pids = [...stack.pids.gateway, ...stack.pids.catalog, ...stack.pids.billing];
  return pids.reduce((sum, pid) => sum + residentMib(pid), 0);
}
