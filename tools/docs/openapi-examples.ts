import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  answerHeaders,
  type Balance,
  type CallRecord,
  type CreatorView,
  exampleSlug,
  type KeyLimit,
  type Filters,
  type Usage,
} from '#contracts';
import { type Stack, startStack } from '#local-stack';
import { AdminClient } from '../cli/admin-client.js';
import { loadSample, publishedSampleCount } from '../stack/sample.js';
import { type Examples, mapValues } from './openapi.js';
import { type Answer, ExampleAccounts, ExampleCaller, requestId } from './example-calls.js';

type AnswersByOperation = Record<string, Record<string, Answer>>;
type ErrorAnswers = Record<number, { readonly json: Answer; readonly problem: Answer }>;

const origin = 'https://creators.example';
const exampleKeyId = '0199b2f4-7c1d-7f3a-9d55-3b6f0a4e8c21';
/** Of the `ETag` in the example, which has to be the same every time. */
const tagSecret = 'only for the examples of the documents';
/** Cursors are signed for the account, which is another one each time. */
const exampleCursor = 'Y0xTVFlKUi1FWUZYMHVnRDBvbWVYUS4xNzQ4NzM1NzU2MDAw';
const callsPerMinute = 60;
const pollMs = 50;
/** Longer than calls wait for a replica that has died. */
const leaseMs = 3_000;

/**
 * Answers of a stack with the sample creators, which has to be built. They are the same every time: what differs from run
 * to run (times of purchases, days, ids of keys, the port) is replaced.
 */
export async function collectExamples(): Promise<Examples> {
  const stack = await startStack({ environment: { SITE_URL: origin, PROFILE_TAG_SECRET: tagSecret } });
  try {
    const admin = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    await loadSample(admin);
    const accounts = new ExampleAccounts(stack, admin);
    await untilSampleIsVisible(await accounts.withCredits(1_000));
    const answers = await collectAnswers(accounts);
    const errors = await collectErrors(stack, accounts);
    const text = JSON.stringify(toExamples(answers, errors)).replaceAll(stack.publicUrl, origin);
    const fixed = text
      .replace(/again in \d+ seconds?/g, 'again in 42 seconds')
      .replace(/cursor=[\w-]+/g, `cursor=${exampleCursor}`);
    return JSON.parse(fixed) as Examples;
  } finally {
    await stack.stop();
  }
}

/** The successful answers, by operation and example. */
async function collectAnswers(accounts: ExampleAccounts): Promise<AnswersByOperation> {
  const buyer = await accounts.buyer();
  const searchCreators = {
    matches: await buyer.get('/search?country=France&limit=2'),
    none: await buyer.get('/search?country=Frankreich'),
    repeated: await repeated(buyer, '/search?country=France&limit=1'),
    lowBalance: await (await accounts.withCredits(5)).get('/search?category=fitness&limit=1'),
  };
  const getCreatorProfile = { profile: await buyer.get(`/creators/${exampleSlug}`) };
  const getBalance = { balance: withoutTimes(await buyer.get('/balance')) };
  const getUsage = { usage: withoutDays(await usageOf(buyer, 5)) };
  const listCalls = { calls: asOfJanuary(await buyer.get('/calls?limit=2')) };
  const getCalls = {
    call: asOfJanuary(await buyer.get(`/calls/${requestId}?limit=1`)),
    none: await buyer.get('/calls/order-4712'),
  };
  const lookUps = await collectLookUps(buyer);
  const listFilters = { filters: beginning(await buyer.get('/filters')) };
  const account = { getBalance, getUsage, listCalls, getCalls };
  return { searchCreators, getCreatorProfile, listFilters, ...lookUps, ...account };
}

async function collectLookUps(buyer: ExampleCaller): Promise<AnswersByOperation> {
  const { body } = await buyer.get(`/creators/${exampleSlug}`);
  const { url = '' } = (body as CreatorView).platforms[0] ?? {};
  const lookUp = (link: string): Promise<Answer> => buyer.get(`/lookup?url=${encodeURIComponent(link)}`);
  const links = [url, 'https://x.com/nobody_at_all', 'https://www.instagram.com/p/C1a2b3c4d5e/'];
  const accounts = JSON.stringify({ accounts: links.map((link) => ({ url: link })) });
  return {
    lookUpAccount: { found: await lookUp(url), none: await lookUp('https://x.com/nobody_at_all') },
    lookUpAccounts: { results: await buyer.post('/lookup', accounts) },
  };
}

/** The errors by status. Stops the catalog at the end. */
async function collectErrors(stack: Stack, accounts: ExampleAccounts): Promise<ErrorAnswers> {
  const caller = await accounts.withCredits(2);
  const both = async (by: ExampleCaller, at: string, headers = {}) => ({
    json: await by.get(at, headers),
    problem: await by.get(at, { ...headers, ...asProblem }),
  });
  const posted = async (body: string, headers = {}) => ({
    json: await caller.post('/lookup', body, headers),
    problem: await caller.post('/lookup', body, { ...headers, ...asProblem }),
  });
  const repeating = await accounts.withCredits(1_000);
  const limited = await both(await accounts.withLimitUsed(exampleSlug), `/creators/${exampleSlug}`);
  const answered = {
    409: await whileAnswered(repeating, both),
    413: await posted(JSON.stringify({ accounts: 'x'.repeat(65_537) })),
    415: await posted('url=x', { 'content-type': 'application/x-www-form-urlencoded' }),
    422: await reusing(repeating, both),
    400: await both(caller, '/search?limit=0&colour=red'),
    401: await both(new ExampleCaller(stack), '/search'),
    402: await both(caller, '/search?country=France&platform=youtube'),
    403: { json: inJanuary(limited.json), problem: inJanuary(limited.problem) },
    404: await both(caller, '/creators/nobody'),
  };
  await Promise.all([stack.replica('catalog').hold(), wait(leaseMs)]);
  const unavailable = await both(caller, `/creators/${exampleSlug}`);
  for (let call = 0; call < callsPerMinute; call += 1) await caller.get('/search?limit=0');
  return { ...answered, 503: unavailable, 429: await both(caller, '/search') };
}

const asProblem = { accept: 'application/problem+json' };

type Both = (by: ExampleCaller, at: string, headers?: object) => Promise<{ json: Answer; problem: Answer }>;

/** The answer to a call that was paid before: once its settlement has reached billing. */
async function repeated(caller: ExampleCaller, at: string): Promise<Answer> {
  const named = { 'idempotency-key': 'order-4710' };
  for (;;) {
    const answer = await caller.get(at, named);
    if (answer.headers.has('idempotent-replayed')) return answer;
    await wait(pollMs);
  }
}

/** What a repetition of a call that is still being answered is answered; on a busy machine that call may end too early. */
async function whileAnswered(caller: ExampleCaller, both: Both): Promise<{ json: Answer; problem: Answer }> {
  const searched = '/search?country=France';
  for (;;) {
    const named = { 'idempotency-key': randomUUID() };
    const answers = await caller.whileAnswered(searched, named, () => both(caller, searched, named));
    const areErrors = [answers.json, answers.problem].every(({ headers }) => headers.has('retry-after'));
    if (areErrors) return answers;
  }
}

/** What another call under the `Idempotency-Key` of a paid one is answered. */
async function reusing(caller: ExampleCaller, both: Both): Promise<{ json: Answer; problem: Answer }> {
  const named = { 'idempotency-key': 'order-4713' };
  await caller.get('/search?country=France', named);
  return both(caller, '/search?country=Spain', named);
}

function toExamples(answers: AnswersByOperation, errors: ErrorAnswers): Examples {
  const all = [
    ...Object.values(answers).flatMap((named) => Object.values(named)),
    // The 503 first: its seconds are always the same, unlike those of a 429.
    ...Object.values(errors)
      .map(({ json }) => json)
      .reverse(),
  ];
  return {
    answers: mapValues(answers, (named) => mapValues(named, ({ body }) => body)),
    errors: mapValues(errors, ({ json, problem }) => ({ json: json.body, problem: problem.body })),
    headers: mapValues(answerHeaders, (_header, name) => headerIn(all, name)),
  };
}

/** The first value of a header; a number where it is one. */
function headerIn(answers: readonly Answer[], name: string): string | number {
  const value = answers.map(({ headers }) => headers.get(name)).find((found) => found !== null);
  if (value === undefined || value === null) throw new Error(`no example has the header ${name}`);
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** The balance as if its lots had been opened on two days of January. */
function withoutTimes(answer: Answer): Answer {
  const balance = answer.body as Balance;
  const days = ['2026-01-05T09:30:00.000Z', '2026-01-12T14:00:00.000Z'];
  const lots = balance.lots.map((lot, index) => {
    const lifetimeMs = Date.parse(lot.expires_at) - Date.parse(lot.purchased_at);
    const openedAt = Date.parse(days[index] ?? '');
    return {
      ...lot,
      purchased_at: new Date(openedAt).toISOString(),
      expires_at: new Date(openedAt + lifetimeMs).toISOString(),
    };
  });
  return { ...answer, body: { ...balance, lots } };
}

/** The refusal by a monthly limit as if it had been made in January. */
function inJanuary({ body, ...answer }: Answer): Answer {
  const { key_limit } = body as { key_limit: KeyLimit };
  const day = key_limit.resets_at.slice(0, 10);
  return { ...answer, body: JSON.parse(JSON.stringify(body).replaceAll(day, '2026-02-01')) as unknown };
}

/** The usage of a caller once all calls are in it: a call counts when its settlement has reached billing. */
async function usageOf(caller: ExampleCaller, calls: number): Promise<Answer> {
  for (;;) {
    const answer = await caller.get('/usage');
    const { usage } = answer.body as Usage;
    if (usage.reduce((sum, row) => sum + row.calls, 0) === calls) return answer;
    await wait(pollMs);
  }
}

/** The calls as if they had been made in January, with a fixed key. */
function asOfJanuary(answer: Answer): Answer {
  const { calls } = answer.body as { calls: readonly CallRecord[] };
  const changed = calls.map((call, index) => ({
    ...call,
    at: `2026-01-12T14:0${9 - index}:00.000Z`,
    key: { ...call.key, id: exampleKeyId, prefix: 'csk_5f0c2a' },
  }));
  return { ...answer, body: { calls: changed } };
}

/** The first values of each filter. */
function beginning(answer: Answer): Answer {
  const filters = Object.entries(answer.body as Filters) as [string, unknown[]][];
  return { ...answer, body: Object.fromEntries(filters.map(([name, values]) => [name, values.slice(0, 3)])) };
}

/** The usage as if it were that of January, with a fixed key. */
function withoutDays(answer: Answer): Answer {
  const { usage } = answer.body as Usage;
  const rows = usage.map((row) => ({
    ...row,
    day: '2026-01-12',
    key_id: exampleKeyId,
  }));
  return { ...answer, body: { from: '2025-12-14', to: '2026-01-12', usage: rows } };
}

/** The catalog shows what it has imported within a second. */
async function untilSampleIsVisible(caller: ExampleCaller): Promise<void> {
  for (;;) {
    const { body } = await caller.get('/search?limit=1');
    if ((body as { total: number }).total === publishedSampleCount()) return;
    await wait(pollMs);
  }
}
