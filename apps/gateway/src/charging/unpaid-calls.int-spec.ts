import { connect } from 'node:net';
import { once } from 'node:events';
import { charge, getProfile, searchCreators, WithBytes } from '@app/contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const noMatch = new WithBytes({ total: 0, returned: 0 }, Buffer.from('[]'));

describe('nothing is charged', () => {
  let api: PublicApiFixture;

  beforeAll(async () => {
    api = await PublicApiFixture.start();
  });
  afterAll(() => api.stop());
  beforeEach(() => api.scriptSuccess());

  it('for a profile that does not exist', async () => {
    api.services.on(getProfile, () => new WithBytes({ found: false }, Buffer.alloc(0)));
    expect((await api.get('/creators/nobody')).status).toBe(404);
    expect((await api.get('/creators/No%20Slug')).status).toBe(404);
    expect(api.services.payloadsOf(charge)).toEqual([]);
    expect(await api.settlementsSoFar()).toEqual([]);
  });

  it('when the client has gone before the search is answered', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const asked = new Promise<void>((resolve) => {
      api.services.on(searchCreators, async ({ q }) => {
        if (q !== 'gone') return noMatch;
        resolve();
        await answered;
        return new WithBytes({ total: 1, returned: 1 }, Buffer.from('[{}]'));
      });
    });
    const socket = connect(Number(new URL(api.origin).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `GET /api/public/v1/search?q=gone HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n\r\n`,
    );
    await asked;
    socket.resetAndDestroy();
    // A whole call later the gateway has seen the reset, and another one later it has had the answer.
    await (await api.get('/search?q=first')).text();
    answer();
    await (await api.get('/search?q=second')).text();
    expect(api.services.payloadsOf(charge)).toMatchObject([{ credits: 0 }, { credits: 0 }]);
  });
});
