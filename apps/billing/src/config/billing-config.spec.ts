import { configProblems } from '#testing';
import { readBillingConfig } from './billing-config.js';

const needed = {
  SERVICE_REDIS_URL: 'redis://localhost',
  BILLING_DATABASE_URL: 'postgres://localhost/billing',
};
const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
const live = { ...keys, STRIPE_SECRET_KEY: 'sk_live_1' };
const restricted = { ...keys, STRIPE_SECRET_KEY: 'rk_live_1' };
const standIn = { ...keys, STRIPE_API_URL: 'http://127.0.0.1:1' };
const production = { NODE_ENV: 'production' };
const here = { SITE_URL: 'http://127.0.0.1:3000' };

const problemsOf = (environment: Readonly<Record<string, string>>) =>
  configProblems(() => readBillingConfig({ ...needed, ...environment }));

it.each<[Readonly<Record<string, string>>]>([
  [{}],
  [{ MAIL_URL: 'log:' }],
  [{ MAIL_URL: 'smtp://mail.example', MAIL_FROM: 'no-reply@acme.example', ...production }],
  [{ MAIL_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'Creator Search <no-reply@acme.example>' }],
  [{ SIGN_UP: 'open' }],
  [keys],
  [{ ...keys, STRIPE_SECRET_KEY: 'rk_test_1', STRIPE_INVOICES: 'on' }],
  [{ ...live, ...production, SITE_URL: 'https://a.example' }],
  [{ ...restricted, ...production }],
  [{ ...standIn, ...here }],
  [{ ...standIn, NODE_ENV: 'development' }],
])('accepts %j', (environment) => {
  expect(problemsOf(environment)).toEqual({});
});

it.each<[string, Readonly<Record<string, string>>]>([
  ['MAIL_URL', { MAIL_URL: 'mail.example' }],
  ['MAIL_URL', { MAIL_URL: 'log:', ...production }],
  ['MAIL_URL', { MAIL_URL: 'log:', SITE_URL: 'https://api.example' }],
  ['MAIL_FROM', { MAIL_URL: 'smtp://mail.example' }],
  ['MAIL_FROM', { MAIL_FROM: 'Creator Search' }],
  ['MAIL_FROM', { MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }],
  ['SIGN_UP', { SIGN_UP: 'closed' }],
  ['SITE_URL', { SITE_URL: 'api.example.com' }],
  ['STRIPE_INVOICES', { ...keys, STRIPE_INVOICES: 'yes' }],
  ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_test_1' }],
  ['STRIPE_WEBHOOK_SECRET', { ...keys, STRIPE_WEBHOOK_SECRET: 'sk_live_1' }],
  ['STRIPE_SECRET_KEY', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
  ['STRIPE_SECRET_KEY', { ...keys, STRIPE_SECRET_KEY: 'pk_live_1' }],
  ['STRIPE_SECRET_KEY', live],
  ['STRIPE_SECRET_KEY', { ...restricted, NODE_ENV: 'Production' }],
  ['STRIPE_SECRET_KEY STRIPE_API_URL', { ...standIn, ...live, ...here }],
  ['STRIPE_API_URL', { ...standIn, ...restricted, ...production }],
  ['STRIPE_API_URL', { ...standIn, ...production }],
  ['STRIPE_API_URL', { ...standIn, SITE_URL: 'https://creators.example' }],
])('names %s as wrong in %j', (variables, environment) => {
  expect(Object.keys(problemsOf(environment)).join(' ')).toBe(variables);
});
