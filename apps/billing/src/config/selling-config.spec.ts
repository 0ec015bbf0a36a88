import { readBillingConfig } from './billing-config.js';

const others = { BILLING_DATABASE_URL: 'postgres://h/b', SERVICE_REDIS_URL: 'redis://h' };
const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const read = (environment: Record<string, string>) => readBillingConfig({ ...others, ...environment });

it('nothing is sold without a key', () => {
  expect(read({})).toMatchObject({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '', STRIPE_API_URL: '' });
});

it.each(['sk_live_1', 'sk_test_1', 'rk_live_1', 'rk_test_1'])('accepts %s', (STRIPE_SECRET_KEY) => {
  expect(read({ ...keys, STRIPE_SECRET_KEY })).toMatchObject({ STRIPE_SECRET_KEY });
});

it.each([
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET: is missing'],
  [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'STRIPE_SECRET_KEY: is missing'],
  [{ ...keys, STRIPE_SECRET_KEY: 'pk_live_1' }, 'STRIPE_SECRET_KEY: must begin with sk_live_'],
  [{ ...keys, STRIPE_WEBHOOK_SECRET: 'sk_live_1' }, 'STRIPE_WEBHOOK_SECRET: must begin with whsec_'],
])('refuses %j', (environment, problem) => {
  expect(() => read(environment)).toThrow(problem);
});

it('sells through a stand-in only outside of production', () => {
  const standIn = { ...keys, STRIPE_API_URL: 'http://127.0.0.1:1' };
  expect(read(standIn)).toMatchObject(standIn);
  expect(() => read({ ...standIn, NODE_ENV: 'production' })).toThrow('STRIPE_API_URL: is refused');
  expect(() => read({ ...keys, NODE_ENV: 'production' })).not.toThrow();
});
