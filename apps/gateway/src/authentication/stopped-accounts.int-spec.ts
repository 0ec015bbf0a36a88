import { authenticateKeys, charge } from '@app/contracts';
import { hashApiKey } from '@app/platform';
import { until } from '@app/testing';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

let api: PublicApiFixture;

beforeAll(async () => {
  api = await PublicApiFixture.start({ SALES_EMAIL: 'billing@site.example' });
});
afterAll(() => api?.stop());

function stop(isStopped: boolean): void {
  api.scriptSuccess();
  const stopped = { key_id: 'key-1', account_id: 'account-1', prefix: 'csk_123456', credits_remaining: 100 };
  api.services.on(authenticateKeys, ({ key_hashes }) => ({
    keys: key_hashes.map((hash) =>
      hash === hashApiKey(api.key) ? { ...stopped, ...(isStopped && { is_stopped: true as const }) } : null,
    ),
  }));
}

it('the keys of a stopped account are refused with the reason and the address to contact, and cost nothing', async () => {
  stop(true);
  for (const path of ['/search?q=ada', '/creators/luna', '/balance']) {
    const response = await api.get(path);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: expect.stringMatching(
        /^The API keys of this account are disabled: the payment for credits that were used was reversed by the buyer's bank\. To enable them again, buy credits at http.*\/account\/buy or contact billing@site\.example\.$/,
      ) as string,
    });
  }
  expect(api.services.payloadsOf(charge)).toEqual([]);
});

it('within a second of the end of the stop they are accepted again', async () => {
  stop(true);
  await api.get('/creators/luna');
  stop(false);
  await until(async () => (await api.get('/creators/luna')).status === 200, 1_500);
});
