import { randomUUID } from 'node:crypto';
import { type Stack } from '#dev';
import { OpenIdTestProvider, type ShownPage } from '#testing';
import { createAccount } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import { newVisitor } from '../support/members.js';
import { startOperatedStack } from './support/operated-stack.js';

const provider = new OpenIdTestProvider();
let stack: Stack;
beforeAll(async () => {
  await provider.start();
  stack = await startOperatedStack({ environment: { ...provider.environment, SIGN_UP: 'invite' } });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await provider.stop();
});

/** The page after a sign-in of a new visitor as this person of the provider. */
async function signIn(sub: string, email: string): Promise<ShownPage> {
  provider.claims = { sub, email, email_verified: true };
  const visitor = newVisitor();
  const { location } = await visitor.get('/account/sign-in/provider');
  const { headers } = await fetch(location, { redirect: 'manual' });
  const { pathname, search } = new URL(headers.get('location') ?? '');
  const answer = await visitor.get(pathname + search);
  return answer.status === 303 ? visitor.follow(answer) : answer;
}

// What providers and billing decide: apps/website/src/openid-*.int-spec.ts, apps/billing/src/people/sign-in/identities.int-spec.ts.
it('an identity belongs to the person of its first sign-in until an operator unlinks it', async () => {
  const { name, email } = await createAccount();
  const [first, successor] = [randomUUID(), randomUUID()];
  expect((await signIn(first, email)).text).toContain(name);
  const taken = 'This email address already belongs to another person here.';
  expect((await signIn(successor, email)).text).toContain(taken);
  expect(succeeded(await admin.call('POST', '/people/unlink', { email }))).toEqual({ forgotten: 1 });
  expect((await signIn(successor, email)).text).toContain(name);
  expect((await signIn(first, email)).text).toContain(taken);
});
