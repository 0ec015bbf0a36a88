import { setTimeout as delay } from 'node:timers/promises';
import {
  charge,
  type ChargeReply,
  searchCreators,
  ServiceError,
  type Settlement,
  WithBytes,
} from '#contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { gate } from '#testing';

const noMatch = new WithBytes({ total: 0, returned: 0 }, Buffer.from('[]'));

const api = PublicApiFixture.forSuite({ REQUEST_DEADLINE_MS: '1500' });
afterEach(() => expect(api.settlements.waiting).toBe(0));

it('the gateway generates its own charge id for every request, whatever id the caller sends', async () => {
  const headers = { authorization: `Bearer ${api.key}`, 'x-request-id': 'mine' };
  await api.get('/creators/luna', { headers });
  await api.get('/creators/luna', { headers });
  const charges = api.services.payloadsOf(charge);
  expect(charges.map(({ request_id }) => request_id)).toEqual(['mine', 'mine']);
  expect(new Set(charges.map(({ charge_id }) => charge_id)).size).toBe(2);
  await api.outcomes(2);
});

const away = (): never => {
  throw new ServiceError('unavailable', 'The database is away.');
};
const voided = () => ({ outcome: 'voided' as const });
const late = () => delay(3_000, voided());

it.each<[string, () => ChargeReply | Promise<ChargeReply>, Settlement['outcome'][]]>([
  ['an error: whether credits were taken is unknown', away, ['voided']],
  ['late, after the deadline of the request', late, ['voided']],
  ['that the charge was voided already', voided, []],
])(
  'the gateway answers 503, and takes nothing, when the reply to the charge is %s',
  async (_what, reply, outcomes) => {
    api.services.on(charge, reply);
    const response = await api.get('/creators/luna');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    const chargeId = api.services.payloadsOf(charge)[0]?.charge_id;
    const settled = await api.settlementsSoFar();
    expect(settled).toMatchObject(outcomes.map((outcome) => ({ charge_id: chargeId, outcome })));
    expect(settled).toHaveLength(outcomes.length);
  },
);

it('the gateway charges nothing when the client has gone before the search is answered', async () => {
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
