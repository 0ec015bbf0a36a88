import { type Stack } from '#dev';
import { eventually, Metrics, testSeed } from '#testing';
import fc from 'fast-check';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { send } from '../support/http.js';
import { api, type CreditFields, type ErrorBody } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { residentMib } from './support/flood.js';
import { type HostileRequest, hostileRequests } from './support/hostile-requests.js';
import { startOperatedStack } from './support/operated-stack.js';

const count = Number(process.env.HOSTILE_REQUESTS ?? 1_000);
const seed = Number(process.env.HOSTILE_SEED ?? testSeed());
const atOnce = 16;
/** About one request in two is a search, and the rate limit lets 60 of a key through. */
const searchesPerAccount = 5 * 55;
const credits = 100_000;
/** Where memory is plenty V8 collects late, Node 24 more so than 20: with less of it growth is what is held for good. */
const heapMb = 128;
const growthMaxMib = 200;
const internals =
  /node_modules|\bat [\w.]+ \(|\/src\/|SELECT |INSERT |syntax error|ECONN|relation "|undefined|\[object/;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Partial<CreditFields & ErrorBody>;
}

let stack: Stack;
let accounts: TestAccount[];
let attacks: HostileRequest[];
const catalog = new SuiteCatalog();
const creator = catalog.record('someone', { name: catalog.marker });

beforeAll(async () => {
  stack = await startOperatedStack({ environment: { NODE_OPTIONS: `--max-old-space-size=${heapMb}` } });
  await catalog.importVisible([creator]);
  const accountCount = Math.ceil(count / searchesPerAccount);
  accounts = await Promise.all(
    Array.from({ length: accountCount }, () => createFundedAccount({ credits, keys: 5 })),
  );
  const victim = await createFundedAccount({ credits: 0, keys: 1 });
  const requests = hostileRequests({
    keys: accounts.flatMap(({ keys }) => keys.map(({ key }) => key)),
    adminToken: stack.adminToken,
    accountId: victim.id,
    slug: creator.slug,
  });
  attacks = fc.sample(requests, { numRuns: count, seed });
}, 120_000);

afterAll(() => stack?.stop());

it(
  `${count} hostile requests are answered, none with a 5xx, and only answers that were served are charged`,
  async () => {
    const pids = JSON.stringify(stack.pids);
    const statuses = new Map<string, number>();
    let creditsSeen = 0;
    const before = memoryMib();
    const attack = async (): Promise<void> => {
      for (let hostile = attacks.pop(); hostile; hostile = attacks.pop()) {
        const answer = await ask(hostile).catch((error: unknown) => {
          throw new Error(`no answer to ${shown(hostile)}`, { cause: error });
        });
        check(hostile, answer);
        creditsSeen += answer.status === 200 ? (answer.body.credits_used ?? 0) : 0;
        const name = `${hostile.kind} ${answer.status}`;
        statuses.set(name, (statuses.get(name) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, attack));

    const table = [...statuses].sort().map(([name, times]) => `${name}: ${times}`);
    process.stdout.write(`hostile requests: ${count}; ${table.join(', ')}; HOSTILE_SEED=${seed}\n`);
    await eventually(async () => {
      let taken = accounts.length * credits;
      for (const { id } of accounts) taken -= await admin.balance(id);
      expect(taken).toBe(creditsSeen);
      const metrics = await Metrics.of(stack.internalUrls.gateway[0] ?? '');
      expect(metrics.sum('http_requests_in_flight')).toBe(0);
    }, 5_000);
    expect(JSON.stringify(stack.pids)).toBe(pids);
    expect(memoryMib() - before).toBeLessThan(growthMaxMib);
    expect((await admin.audit()).ok).toBe(true);
    expect((await api.profile(creator.slug, accounts[0]?.keys[0]?.key ?? '')).status).toBe(200);
  },
  60_000 + count * 20,
);

async function ask(request: HostileRequest): Promise<Answer> {
  const origin = request.api === 'public' ? stack.publicUrl : stack.adminUrl;
  const { status, text, body } = await send<Answer['body'] | undefined>(origin, request.path, request);
  return { status, text, body: body ?? {} };
}

function check(request: HostileRequest, { status, text, body }: Answer): void {
  const complain = (what: string): never => {
    throw new Error(`${what}: ${status} ${text.slice(0, 500)} to ${shown(request)}`);
  };
  if (!(status >= 200 && status < 500)) complain('not a status that a request may cause');
  if (status >= 400 && typeof body.error !== 'string') {
    complain('no error in the body');
  }
  if (status === 400 && Object.keys(body.details ?? {}).length === 0) complain('a 400 without details');
  if (status !== 200 && 'credits_used' in body) complain('credits without success');
  if (status >= 400 && internals.test(body.error ?? '')) complain('internals in the error');
  if (text.includes(stack.adminToken)) complain('a secret in the body');
}

function shown(request: HostileRequest): string {
  return `${JSON.stringify(request).slice(0, 1_500)} (HOSTILE_SEED=${seed})`;
}

function memoryMib(): number {
  const pids = [...stack.pids.gateway, ...stack.pids.catalog, ...stack.pids.billing];
  return pids.reduce((sum, pid) => sum + residentMib(pid), 0);
}
