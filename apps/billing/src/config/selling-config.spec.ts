import { readBillingConfig } from './billing-config.js';

const others = { BILLING_DATABASE_URL: 'postgres://h/b', SERVICE_REDIS_URL: 'redis://h' };
const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const read = (environment: Record<string, string>) => readBillingConfig({ ...others, ...environment });

it('nothing is sold without a key', () => {
  expect(read({})).toMatchObject({ STRIPE_SECRET_KEY: '', STRIPE_WEBHOOK_SECRET: '', STRIPE_API_URL: '' });
});

it.each(['sk_test_1', 'rk_test_1'])('accepts %s', (STRIPE_SECRET_KEY) => {
  expect(read({ ...keys, STRIPE_SECRET_KEY })).toMatchObject({ STRIPE_SECRET_KEY });
});

it.each(['sk_live_1', 'rk_live_1'])('accepts %s only in production', (STRIPE_SECRET_KEY) => {
  const live = { ...keys, STRIPE_SECRET_KEY };
  expect(read({ ...live, NODE_ENV: 'production' })).toMatchObject({ STRIPE_SECRET_KEY });
  for (const NODE_ENV of ['', 'development', 'Production']) {
    expect(() => read({ ...live, NODE_ENV })).toThrow('STRIPE_SECRET_KEY: is a live key, which is refused');
  }
});

it.each([
  [{ STRIPE_SECRET_KEY: 'sk_test_1' }, 'STRIPE_WEBHOOK_SECRET: is missing'],
  [{ STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'STRIPE_SECRET_KEY: is missing'],
  [{ ...keys, STRIPE_SECRET_KEY: 'pk_live_1' }, 'STRIPE_SECRET_KEY: must begin with sk_live_'],
  [{ ...keys, STRIPE_WEBHOOK_SECRET: 'sk_live_1' }, 'STRIPE_WEBHOOK_SECRET: must begin with whsec_'],
])('refuses %j', (environment, problem) => {
  expect(() => read(environment)).toThrow(problem);
});

it.each(['STRIPE_AUTOMATIC_TAX', 'STRIPE_PROMOTION_CODES', 'STRIPE_INVOICES'])(
  '%s is off unless it is switched on',
  (name) => {
    expect(read(keys)).toMatchObject({ [name]: 'off' });
    expect(read({ ...keys, [name]: 'on' })).toMatchObject({ [name]: 'on' });
    expect(() => read({ ...keys, [name]: 'yes' })).toThrow(`${name}: Value "yes" not in choices [on,off]`);
  },
);

describe('a stand-in for Stripe', () => {
  const standIn = { ...keys, STRIPE_API_URL: 'http://127.0.0.1:1' };

  it.each<Record<string, string>>([{}, { SITE_URL: 'http://127.0.0.1:3000' }, { NODE_ENV: 'development' }])(
    'is accepted for development: %j',
    (environment) => expect(read({ ...standIn, ...environment })).toMatchObject(standIn),
  );

  it.each<Record<string, string>>([
    { NODE_ENV: 'production' },
    { SITE_URL: 'https://creators.example' },
    { STRIPE_SECRET_KEY: 'sk_live_1' },
    { STRIPE_SECRET_KEY: 'rk_live_1' },
    { STRIPE_SECRET_KEY: 'sk_live_1', NODE_ENV: 'development', SITE_URL: 'http://127.0.0.1:3000' },
  ])('is refused with %j', (environment) => {
    expect(() => read({ ...standIn, ...environment })).toThrow('STRIPE_API_URL: is refused');
  });

  it('is no part of production', () => {
    expect(() => read({ ...keys, NODE_ENV: 'production', SITE_URL: 'https://a.example' })).not.toThrow();
  });
});
