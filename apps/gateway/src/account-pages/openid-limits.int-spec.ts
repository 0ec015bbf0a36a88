import { requestSignIn } from '@app/contracts';
import { until } from '@app/testing';
import { beginPath, ProviderSignInFixture } from './fixtures/provider-sign-in.fixture.js';

// A silent provider is given up after seconds; a hundred people sign in.
jest.setTimeout(30_000);

describe('how many sign in from one address', () => {
  const fixture = ProviderSignInFixture.forEachTest();

  it('a hundred people of an office within a minute, all at once and one after the other', async () => {
    const startedAt = performance.now();
    const atOnce = await Promise.all(Array.from({ length: 100 }, () => fixture.signIn()));
    expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([303]));
    for (let person = 0; person < 250; person += 1) expect((await fixture.signIn()).status).toBe(303);
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  it('failures of a network are bounded, and so is what it begins and leaves', async () => {
    const failures: number[] = [];
    for (let attempt = 0; attempt < 210; attempt += 1) {
      const { status } = await fixture.visitor().get(`${beginPath}/callback?code=x&state=${attempt}`);
      failures.push(status);
    }
    expect(failures.filter((status) => status === 401)).toHaveLength(200);
    expect(failures.filter((status) => status === 429)).toHaveLength(10);
    const begun: number[] = [];
    for (let attempt = 0; attempt < 310; attempt += 1) {
      begun.push((await fixture.visitor().get(beginPath)).status);
    }
    expect(begun.filter((status) => status === 303)).toHaveLength(300);
    // The provider was asked what it supports once, however many sign-ins began.
    expect(fixture.provider.asked).toEqual(['/.well-known/openid-configuration']);
  });

  it('a network that only begins does not lock out mails', async () => {
    const { services } = fixture.account.api;
    services.on(requestSignIn, () => ({ valid_for_seconds: 600 }));
    for (let attempt = 0; attempt < 100; attempt += 1) await fixture.visitor().get(beginPath);
    const visitor = fixture.visitor();
    const [form] = (await visitor.get('/account/sign-in')).forms;
    if (!form) throw new Error('there is no form');
    expect((await visitor.submit(form, { email: 'jana@weitblick.example' })).status).toBe(303);
  });
});

it('requests that wait for a silent provider take no slot from others', async () => {
  const fixture = await ProviderSignInFixture.start({ TRUST_PROXY: '1', CALLS_IN_WORK_MAX: '16' });
  fixture.provider.scripted.set('/.well-known/openid-configuration', () => undefined);
  const from = (network: number) => ({ 'x-forwarded-for': `192.0.2.${network}` });
  let answered = 0;
  const waiting = Array.from({ length: 300 }, async (_, index) => {
    const { status } = await fixture.visitor().get(beginPath, from(index % 100));
    answered += 1;
    return status;
  });
  await until(() => fixture.provider.asked.length > 0);
  const member = fixture.account.member();
  for (let page = 0; page < 10; page += 1) {
    expect((await member.get('/account/keys', from(200))).status).toBe(200);
  }
  // Beyond 256 waiting requests, the next are refused.
  expect(answered).toBeLessThanOrEqual(300 - 256);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]));
  const tooMany = fixture.logged.filter(({ problem }) => problem === '256 requests wait for it');
  expect(tooMany.length).toBeGreaterThan(0);
  await fixture.stop();
});
