import { readFileSync } from 'node:fs';
import { type Stack } from '@app/testing';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { eventually } from '../support/eventually.js';
import { send } from '../support/http.js';
import { KeyPool } from '../support/key-pool.js';
import { api, type CreditFields, type ErrorBody } from '../support/public-api.js';
import { exchangeRaw } from '../support/raw-http.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { type HostileRequest, HostileRequests } from './support/hostile-requests.js';
import { startOperatedStack } from './support/operated-stack.js';

const count = Number(process.env.HOSTILE_REQUESTS ?? 2_500);
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 1_000_000_000);
const atOnce = 16;
/** About two searches in five requests, and the rate limit lets 60 of a key through. */
const searchesPerAccount = 5 * 55;
const credits = 100_000;
const growthMaxMb = 200;
const internals =
  /node_modules|\bat [\w.]+ \(|\/src\/|SELECT |INSERT |syntax error|ECONN|relation "|undefined|\[object/;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Partial<CreditFields & ErrorBody>;
}

let stack: Stack;
let accounts: TestAccount[];
let hostile: HostileRequests;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');

beforeAll(async () => {
  stack = await startOperatedStack();
  await catalog.importVisible([creator], new KeyPool());
  const accountCount = Math.ceil(count / searchesPerAccount);
  accounts = await Promise.all(
    Array.from({ length: accountCount }, () => createFundedAccount({ credits, keys: 5 })),
  );
  const victim = await createFundedAccount({ credits: 0, keys: 1 });
  hostile = new HostileRequests(numbersFrom(seed), {
    keys: accounts.flatMap(({ keys }) => keys.map(({ key }) => key)),
    adminToken: stack.adminToken,
    accountId: victim.id,
    slug: creator.slug,
  });
}, 120_000);

afterAll(() => stack?.stop());

it(
  `${count} hostile requests: each is answered, none with a 5xx, and nothing is charged that was not served`,
  async () => {
    const pids = JSON.stringify(stack.pids);
    const statuses = new Map<string, number>();
    let creditsSeen = 0;
    let drawn = 0;
    const before = memoryMb();
    const attack = async (): Promise<void> => {
      while (drawn < count) {
        const request = hostile.draw(drawn++);
        const answer = await ask(request).catch((error: unknown) => {
          throw new Error(`no answer to ${shown(request)}`, { cause: error });
        });
        judge(request, answer);
        creditsSeen += answer.status === 200 ? (answer.body.credits_used ?? 0) : 0;
        const counted = `${request.kind} ${answer.status}`;
        statuses.set(counted, (statuses.get(counted) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, attack));

    const table = [...statuses].sort().map(([name, times]) => `${name}: ${times}`);
    process.stdout.write(`hostile requests: ${count}; ${table.join(', ')}; HOSTILE_SEED=${seed}\n`);
    await eventually(async () => {
      const balances = await Promise.all(accounts.map(({ id }) => admin.balance(id)));
      const taken = accounts.length * credits - balances.reduce((sum, balance) => sum + balance, 0);
      expect(taken).toBe(creditsSeen);
    }, 5_000);
    expect(JSON.stringify(stack.pids)).toBe(pids);
    expect(memoryMb() - before).toBeLessThan(growthMaxMb);
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

function judge(request: HostileRequest, { status, text, body }: Answer): void {
  const complain = (what: string): never => {
    throw new Error(`${what}: ${status} ${text.slice(0, 500)} to ${shown(request)}`);
  };
  if (!(status >= 200 && status < 500)) complain('not a status that a request may cause');
  if (status >= 400 && request.kind !== 'method' && typeof body.error !== 'string') {
    complain('no error in the body');
  }
  if (status === 400 && Object.keys(body.details ?? {}).length === 0) complain('a 400 that names nothing');
  if (status !== 200 && 'credits_used' in body) complain('credits without success');
  if (status >= 400 && internals.test(body.error ?? '')) complain('internals in the error');
  if (text.includes(stack.adminToken)) complain('a secret in the body');
}

function shown(request: HostileRequest): string {
  return `${JSON.stringify(request).slice(0, 1_500)} (HOSTILE_SEED=${seed})`;
}

function memoryMb(): number {
  const pids = [...stack.pids.gateway, ...stack.pids.catalog, ...stack.pids.billing];
  return pids.reduce((sum, pid) => {
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return sum + Number(rss?.[1] ?? 0) / 1_000;
  }, 0);
}

function numbersFrom(start: number): (below: number) => number {
  let state = start >>> 0;
  return (below) => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
