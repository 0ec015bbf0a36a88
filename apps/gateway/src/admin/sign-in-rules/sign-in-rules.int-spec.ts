import { forgetIdentities, getSignInRules, ServiceError, setSignInRules } from '@app/contracts';
import { AdminFixture } from '../admin.fixture.js';

const account_id = '0198c0de-0000-7000-8000-000000000001';
const path = `/accounts/${account_id}/sign-in-rules`;
const rules = { join_domains: ['corp.example'], provider_only: true, session_hours: 8 };

let admin: AdminFixture;
beforeAll(async () => (admin = await AdminFixture.start()));
beforeEach(() => admin.reset());
afterAll(() => admin.stop());

it('shows the rules of an account', async () => {
  admin.on(getSignInRules, () => rules);
  expect(await admin.send('GET', path)).toMatchObject({ status: 200, body: rules });
  expect(admin.received).toEqual([{ pattern: getSignInRules.pattern, payload: { account_id } }]);
});

it.each([
  {},
  { join_domains: ['Corp.example', 'bücher.example'] },
  { provider_only: false },
  { session_hours: 0 },
  rules,
])('changes what is given: %j', async (body) => {
  admin.on(setSignInRules, () => rules);
  expect(await admin.sendJson('PATCH', path, body)).toMatchObject({ status: 200, body: rules });
  expect(admin.received).toEqual([{ pattern: setSignInRules.pattern, payload: { account_id, ...body } }]);
});

it.each([
  ['join_domains', ['corp']],
  ['join_domains', ['*.corp.example']],
  ['join_domains', ['corp.example', 'CORP.example']],
  ['join_domains', Array.from({ length: 21 }, (_, n) => `${n}.example`)],
  ['join_domains', 'corp.example'],
  ['provider_only', 'yes'],
  ['session_hours', 721],
  ['session_hours', -1],
  ['session_hours', null],
  ['domains', []],
])('refuses %s: %j, by its name', async (field, value) => {
  const reply = await admin.sendJson('PATCH', path, { [field]: value });
  expect(reply.status).toBe(400);
  expect(JSON.stringify(reply.body)).toContain(field);
  expect(admin.received).toEqual([]);
});

it('forgets the identities of a person', async () => {
  admin.on(forgetIdentities, () => ({ forgotten: 1 }));
  const reply = await admin.sendJson('POST', '/people/unlink', { email: ' a@b.example ' });
  expect(reply).toMatchObject({ status: 200, body: { forgotten: 1 } });
  expect(admin.received).toEqual([{ pattern: forgetIdentities.pattern, payload: { email: 'a@b.example' } }]);
  admin.on(forgetIdentities, () => {
    throw new ServiceError('not_found', 'There is no person with this address.');
  });
  expect((await admin.sendJson('POST', '/people/unlink', { email: 'x@b.example' })).status).toBe(404);
  expect((await admin.sendJson('POST', '/people/unlink', { email: 'ｘ@b.example' })).status).toBe(400);
});
