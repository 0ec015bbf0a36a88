import { warnOfUnset } from '#http';
import { configProblems } from '#testing';
import { operatorOf, readWebsiteConfig } from './website-config.js';

const read = (environment: Record<string, string>) =>
  readWebsiteConfig({ SERVICE_REDIS_URL: 'redis://localhost:6379', ...environment });

const problemsOf = (environment: Record<string, string>) => configProblems(() => read(environment));

it('has two different ports, unless its socket is inherited', () => {
  expect(Object.keys(problemsOf({ SITE_PORT: '9000', INTERNAL_PORT: '9000' }))).toEqual(['INTERNAL_PORT']);
  expect(problemsOf({ SITE_PORT: '9000', INTERNAL_PORT: '9000', LISTEN_FDS: '1' })).toEqual({});
});

it('asks in production for what says who runs it', () => {
  const logged: unknown[] = [];
  const logger = { warn: (fields: unknown) => logged.push(fields) };
  const config = read({ NODE_ENV: 'production', SITE_HOST: '0.0.0.0', COMPANY: 'Example Ltd' });
  warnOfUnset(logger, config, config.SITE_HOST, operatorOf(config));
  expect(logged).toEqual([{ missing: ['TERMS_URL', 'PRIVACY_URL', 'STATUS_URL', 'SUPPORT_EMAIL'] }]);
});

it('takes no address that a browser would run', () => {
  expect(problemsOf({ TERMS_URL: 'javascript:alert(1)' })).toHaveProperty('TERMS_URL');
});

const provider = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'creator-search',
  OIDC_CLIENT_SECRET: 'a secret of the client',
};

describe('an OpenID provider', () => {
  it('is named with its client, and reached over https or on this machine', () => {
    expect(problemsOf(provider)).toEqual({});
    expect(problemsOf({ ...provider, OIDC_ISSUER: 'http://127.0.0.1:8080/realms/one' })).toEqual({});
    expect(problemsOf({ ...provider, OIDC_ISSUER: 'http://login.example' })).toHaveProperty('OIDC_ISSUER');
    expect(problemsOf({ OIDC_TRUST_EMAIL_DOMAINS: 'corp.example' })).toHaveProperty('OIDC_ISSUER');
    expect(Object.keys(problemsOf({ OIDC_ISSUER: provider.OIDC_ISSUER })).sort()).toEqual([
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
    ]);
  });

  it('may be trusted with the addresses of some domains, in the form in which they are compared', () => {
    const trusting = {
      ...provider,
      OIDC_TRUST_EMAIL_DOMAINS: 'Corp.example, xn--bcher-kva.example,bücher.at',
    };
    expect(read(trusting).OIDC_TRUST_EMAIL_DOMAINS).toEqual(['corp.example', 'bücher.example', 'bücher.at']);
    expect(read({ ...provider, OIDC_TRUST_EMAIL_DOMAINS: '' }).OIDC_TRUST_EMAIL_DOMAINS).toBeUndefined();
  });

  it.each(['corp', '@corp.example', '*.corp.example', 'ｃorp.example', 'corp.example;x'])(
    'is not trusted with what is no domain: %s',
    (domains) => {
      const problems = problemsOf({ ...provider, OIDC_TRUST_EMAIL_DOMAINS: domains });
      expect(problems.OIDC_TRUST_EMAIL_DOMAINS).toContain('must be domains of email addresses');
    },
  );

  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/Consumers/v2.0',
    'https://login.microsoftonline.com/9188040D-6C67-4C5B-B112-36A304B66DAD/v2.0',
    'https://login.microsoftonline.com',
  ])('is not trusted when it is that of all tenants: %s', (issuer) => {
    const environment = { ...provider, OIDC_ISSUER: issuer };
    const problems = problemsOf({ ...environment, OIDC_TRUST_EMAIL_DOMAINS: 'corp.example' });
    expect(problems.OIDC_TRUST_EMAIL_DOMAINS).toContain('anyone can create a tenant there');
    expect(problemsOf(environment)).toEqual({});
  });

  it('is trusted when it is one tenant', () => {
    const OIDC_ISSUER = 'https://login.microsoftonline.com/5a7f5c2e-0b7e-4f2c-9a56-0b1f2f6f3c11/v2.0';
    expect(problemsOf({ ...provider, OIDC_ISSUER, OIDC_TRUST_EMAIL_DOMAINS: 'corp.example' })).toEqual({});
  });
});
