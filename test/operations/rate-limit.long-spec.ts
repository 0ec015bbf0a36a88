import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '#dev';
import { createFundedAccount } from '../support/accounts.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { startOperatedStack } from './support/operated-stack.js';

const limit = 60;

let stack: Stack;
beforeAll(async () => (stack = await startOperatedStack()), 120_000);
afterAll(() => stack?.stop());

it('refused searches do not extend the wait: a search succeeds after the Retry-After of the last refusal', async () => {
  const { key } = await createFundedAccount();
  const search = () => api.search({ q: randomWord() }, key);
  await Promise.all(Array.from({ length: limit }, search));
  for (let refused = await search(); refused.status === 429; refused = await search()) {
    const waitSeconds = Number(refused.headers['retry-after']);
    await pause((waitSeconds > 8 ? 6 : waitSeconds) * 1_000);
    if (waitSeconds <= 8) return expect((await search()).status).toBe(200);
  }
  throw new Error('nothing was refused');
}, 180_000);
