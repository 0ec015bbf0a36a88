import { charge, searchCreators, ServiceError, WithBytes } from '#contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { gate } from '#testing';

const noMatch = new WithBytes({ total: 0, returned: 0 }, Buffer.from('[]'));

describe('metering', () => {
  const api = PublicApiFixture.forSuite({ REQUEST_DEADLINE_MS: '1500' });
  afterEach(() => expect(api.settlements.waiting).toBe(0));

  const chargeId = (): string | undefined => api.services.payloadsOf(charge)[0]?.charge_id;

  it('generates its own charge id for every request, whatever id the caller sends', async () => {
    const headers = { authorization: `Bearer ${api.key}`, 'x-request-id': 'mine' };
    await api.get('/creators/luna', { headers });
    await api.get('/creators/luna', { headers });
    const charges = api.services.payloadsOf(charge);
    expect(charges.map(({ request_id }) => request_id)).toEqual(['mine', 'mine']);
    expect(new Set(charges.map(({ charge_id }) => charge_id)).size).toBe(2);
    await api.outcomes(2);
  });

  it('voids when the reply to the charge is an error: whether it was taken is unknown', async () => {
    api.services.on(charge, () => {
      throw new ServiceError('unavailable', 'The database is away.');
    });
    const response = await api.get('/creators/luna');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await api.settlements.next()).toMatchObject({ charge_id: chargeId(), outcome: 'voided' });
  });

  it('voids and answers 503 when billing does not answer within the deadline of the request', async () => {
    const answer = gate();
    api.answerCharges({}, answer.opened);
    expect((await api.get('/creators/luna')).status).toBe(503);
    expect(await api.settlements.next()).toMatchObject({ charge_id: chargeId(), outcome: 'voided' });
    answer.open();
  });

  it('answers 503 when the charge was voided already', async () => {
    api.services.on(charge, () => ({ outcome: 'voided' }));
    expect((await api.get('/creators/luna')).status).toBe(503);
    expect(await api.settlementsSoFar()).toEqual([]);
  });

  it('charges nothing when the client has gone before the search is answered', async () => {
    const [asked, answer] = [gate(), gate()];
    api.services.on(searchCreators, async ({ q }) => {
      if (q !== 'gone') return noMatch;
      asked.open();
      await answer.opened;
      return new WithBytes({ total: 1, returned: 1 }, Buffer.from('[{}]'));
    });
    const socket = await api.open();
    socket.write(api.written('/search?q=gone'));
    await asked.opened;
    socket.resetAndDestroy();
    // A whole call later the gateway has seen the reset, and another one later it has had the answer.
    await (await api.get('/search?q=first')).text();
    answer.open();
    await (await api.get('/search?q=second')).text();
    expect(api.services.payloadsOf(charge)).toMatchObject([{ credits: 0 }, { credits: 0 }]);
  });
});
