import { configProblems } from '#testing';
import { readBillingConfig } from './billing-config.js';

const needed = {
  SERVICE_REDIS_URL: 'redis://localhost',
  BILLING_DATABASE_URL: 'postgres://localhost/billing',
};

const problemsOf = (environment: Readonly<Record<string, string>>) =>
  configProblems(() => readBillingConfig({ ...needed, ...environment }));

it.each([
  [{}],
  [{ MAIL_URL: 'log:' }],
  [{ MAIL_URL: 'smtp://mail.example', MAIL_FROM: 'no-reply@acme.example', NODE_ENV: 'production' }],
  [{ MAIL_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'Creator Search <no-reply@acme.example>' }],
  [{ SIGN_UP: 'open' }],
])('accepts %j', (environment) => {
  expect(problemsOf(environment)).toEqual({});
});

it.each([
  ['MAIL_URL', { MAIL_URL: 'mail.example' }],
  ['MAIL_URL', { MAIL_URL: 'log:', NODE_ENV: 'production' }],
  ['MAIL_URL', { MAIL_URL: 'log:', SITE_URL: 'https://api.example' }],
  ['MAIL_FROM', { MAIL_URL: 'smtp://mail.example' }],
  ['MAIL_FROM', { MAIL_FROM: 'Creator Search' }],
  ['MAIL_FROM', { MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }],
  ['SIGN_UP', { SIGN_UP: 'closed' }],
  ['SITE_URL', { SITE_URL: 'api.example.com' }],
])('names %s as wrong in %j', (variable, environment) => {
  expect(Object.keys(problemsOf(environment))).toEqual([variable]);
});
