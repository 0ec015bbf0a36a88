import { charge, type ChargeReply } from '@app/contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture-spec.js';

const inFlightMax = 8;

let api: PublicApiFixture;

beforeAll(async () => {
  api = await PublicApiFixture.start({ IN_FLIGHT_MIN: '1', IN_FLIGHT_MAX: String(inFlightMax) });
});
afterAll(() => api?.stop());
beforeEach(() => api.scriptSuccess());

it('calls beyond what may be in work are refused at once, unpaid and unasked, and let in again after', async () => {
  let finish: (reply: ChargeReply) => void = () => undefined;
  const paid = new Promise<ChargeReply>((resolve) => (finish = resolve));
  let charges = 0;
  const allArrived = new Promise<void>((resolve) => {
    api.services.on(charge, () => {
      if (++charges === inFlightMax) resolve();
      return paid;
    });
  });
  const slow = Array.from({ length: inFlightMax }, () => api.get('/creators/luna'));
  await allArrived;

  const startedAt = performance.now();
  const refused = await api.get('/search', { headers: { authorization: 'Bearer unknown' } });
  expect(performance.now() - startedAt).toBeLessThan(500);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(refused.headers.get('x-request-id')).not.toBeNull();
  expect(Object.keys((await refused.json()) as object)).toEqual(['error']);
  expect(charges).toBe(inFlightMax);

  finish({ outcome: 'charged', credits_used: 1, credits_remaining: 9 });
  const served = await Promise.all(slow);
  expect(served.map(({ status }) => status)).toEqual(Array.from({ length: inFlightMax }, () => 200));
  await Promise.all(served.map((response) => response.text()));
  expect((await api.get('/creators/luna')).status).toBe(200);
});
