import { findSessions, getSession, ServiceError } from '@app/contracts';
import { newToken } from '@app/platform';
import { type PageVisitor } from '@app/testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const madeUp = 300;
const freeLookUps = 20;

describe('made-up sessions', () => {
  const account = ScriptedAccount.forSuite();
  beforeEach(() => {
    account.api.services.on(findSessions, ({ session_hashes }) => ({
      found: session_hashes.map((hash) => account.isMember(hash)),
    }));
  });

  /** Requests from one network, many at once. */
  function flood(): Promise<number[]> {
    const statusOf = async (): Promise<number> => {
      const visitor = account.visitor();
      visitor.cookies.set('session', newToken());
      return (await visitor.get('/account')).status;
    };
    return Promise.all(Array.from({ length: madeUp }, statusOf));
  }

  async function statusesOf(visitor: PageVisitor, times: number): Promise<number[]> {
    const statuses = [];
    for (let time = 0; time < times; time += 1) statuses.push((await visitor.get('/account')).status);
    return statuses;
  }

  it('lock out no member of that network, neither one who was signed in nor a new one', async () => {
    const { services } = account.api;
    const [before, later] = [account.member(), account.member()];
    expect(await statusesOf(before, 1)).toEqual([200]);
    services.received.length = 0;
    const flooding = flood();
    expect(await statusesOf(before, 20)).toEqual(Array(20).fill(200));
    expect(await statusesOf(later, 5)).toEqual(Array(5).fill(200));
    expect(new Set(await flooding)).toEqual(new Set([303]));
    const ofStrangers = services
      .payloadsOf(getSession)
      .filter(({ session_hash }) => !account.isMember(session_hash));
    expect(ofStrangers.length).toBeLessThanOrEqual(freeLookUps * 2);
  });

  it('do not hide that a session has ended: the next page leads to the sign-in', async () => {
    const member = account.member();
    expect(await statusesOf(member, 1)).toEqual([200]);
    account.api.services.on(getSession, () => {
      throw new ServiceError('unauthorized', 'There is no such session.');
    });
    expect(await statusesOf(member, 1)).toEqual([303]);
  });
});
