import { until } from '#testing';
import { NetworkLimits } from './network-limits.js';
import { beginPath, ProviderSignInFixture } from './fixtures/provider-sign-in.fixture.js';

// A silent provider is given up after seconds; many people sign in.
jest.setTimeout(30_000);

const discovery = '/.well-known/openid-configuration';
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('how many sign in from one address', () => {
  const fixture = ProviderSignInFixture.forSuite({ TRUST_PROXY: '1' });

  /** Counts uses as if the network had made them before. */
  async function use(what: 'providerSignIns' | 'providerCallbacks', address: string, times: number) {
    const limits = fixture.account.site.provider(NetworkLimits);
    await Promise.all(Array.from({ length: times }, () => limits.admit(what, address)));
  }

  async function statusesOf(path: string, address: string, times: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < times; attempt += 1) {
      statuses.push((await fixture.visitor().get(path, from(address))).status);
    }
    return statuses;
  }

  it('forty people of an office at once, and others after them: those who sign in do not count', async () => {
    const signIn = async (address: string): Promise<number> =>
      (await fixture.signIn(fixture.visitor(), beginPath, from(address))).status;
    const atOnce = await Promise.all(Array.from({ length: 40 }, () => signIn('192.0.2.1')));
    expect(new Set(atOnce)).toEqual(new Set([303]));
    await use('providerSignIns', '192.0.2.2', 299);
    await use('providerCallbacks', '192.0.2.2', 199);
    for (let person = 0; person < 5; person += 1) expect(await signIn('192.0.2.2')).toBe(303);
  });

  it('failures of a network are bounded, and so is what it begins and leaves', async () => {
    await use('providerCallbacks', '192.0.2.3', 198);
    const failures = await statusesOf(`${beginPath}/callback?code=x&state=y`, '192.0.2.3', 4);
    expect(failures).toEqual([401, 401, 429, 429]);
    await use('providerSignIns', '192.0.2.3', 290);
    const begun = await statusesOf(beginPath, '192.0.2.3', 12);
    expect(begun).toEqual([...Array<number>(10).fill(303), 429, 429]);
    // The provider was asked what it supports once, however many sign-ins began.
    expect(fixture.provider.asked).toEqual([discovery]);
  });

  it('requests that wait for a silent provider take no slot from others', async () => {
    fixture.provider.scripted.set(discovery, () => undefined);
    let answered = 0;
    const waiting = Array.from({ length: 300 }, async (_, index) => {
      const { status } = await fixture.visitor().get(beginPath, from(`198.51.100.${index % 100}`));
      answered += 1;
      return status;
    });
    await until(() => fixture.provider.asked.length > 0);
    const member = fixture.account.member();
    expect((await member.get('/account/keys', from('192.0.2.5'))).status).toBe(200);
    // Beyond 256 waiting requests, the next are refused.
    expect(answered).toBeLessThanOrEqual(300 - 256);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]));
    const tooMany = fixture.logged.filter(({ problem }) => problem === '256 requests wait for it');
    expect(tooMany.length).toBeGreaterThan(0);
  });
});
