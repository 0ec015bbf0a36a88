import { ConfigError } from '#platform';
import { readGatewayConfig } from './gateway-config.js';

const needed = {
  SERVICE_REDIS_URL: 'redis://localhost:6379',
  ADMIN_TOKEN: 'a token of the operator',
};

const read = (environment: Record<string, string>) => readGatewayConfig({ ...needed, ...environment });

function problemsOf(environment: Record<string, string>): Readonly<Record<string, string>> {
  try {
    read(environment);
    return {};
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('times that do not fit together', () => {
  it.each([
    [{ DRAIN_MS: '15000', REQUEST_DEADLINE_MS: '5000' }, 26_667],
    [{ REQUEST_DEADLINE_MS: '20000' }, 28_000],
    [{ SHUTDOWN_MS: '7000' }, 8_000],
  ])('%j: SHUTDOWN_MS must be at least %i', (environment, atLeast) => {
    expect(() => read(environment)).toThrow(`SHUTDOWN_MS: must be at least ${atLeast}: DRAIN_MS`);
    expect(read({ ...environment, SHUTDOWN_MS: String(atLeast) }).SHUTDOWN_MS).toBe(atLeast);
  });

  it('that are not numbers are reported as such', () => {
    expect(() => read({ DRAIN_MS: 'long', SHUTDOWN_MS: '5' })).toThrow(
      /DRAIN_MS: must be an integer[^]*SHUTDOWN_MS: must be an integer|SHUTDOWN_MS: must be an integer[^]*DRAIN_MS: must be an integer/,
    );
  });
});

describe('what does not fit together', () => {
  it('is named together with everything else that is wrong', () => {
    const environment = {
      TLS_CERT_FILE: '/nowhere/certificate.pem',
      PORT: '9000',
      ADMIN_PORT: '9000',
      SHUTDOWN_MS: '1000',
      LOG_LEVEL: 'loud',
    };
    expect(Object.keys(problemsOf(environment)).sort()).toEqual([
      'ADMIN_PORT',
      'INTERNAL_PORT',
      'LOG_LEVEL',
      'SHUTDOWN_MS',
      'TLS_CERT_FILE',
      'TLS_KEY_FILE',
    ]);
  });

  it('is a certificate without its key, and files that are none', () => {
    expect(Object.keys(problemsOf({ TLS_KEY_FILE: __filename })).sort()).toEqual(['TLS_CERT_FILE']);
    expect(Object.keys(problemsOf({ TLS_KEY_FILE: __filename, TLS_CERT_FILE: __filename })).sort()).toEqual([
      'TLS_CERT_FILE',
    ]);
  });

  it('is no port that is used on different addresses, is inherited, or is any free one', () => {
    expect(Object.keys(problemsOf({ PORT: '9000', HOST: '10.0.0.1' })).sort()).toEqual([]);
    expect(Object.keys(problemsOf({ PORT: '9000', HOST: '0.0.0.0' })).sort()).toEqual(['INTERNAL_PORT']);
    expect(Object.keys(problemsOf({ PORT: '9000', ADMIN_PORT: '9000', LISTEN_FDS: '2' })).sort()).toEqual([]);
    expect(Object.keys(problemsOf({ PORT: '0', ADMIN_PORT: '0' })).sort()).toEqual([]);
  });
});

describe('trusted proxies', () => {
  it.each([
    ['', false],
    ['2', 2],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, ::1/128,loopback', ['10.0.0.0/8', '::1/128', 'loopback']],
  ])('are read from %p', (text, expected) => {
    expect(read({ TRUST_PROXY: text }).TRUST_PROXY).toEqual(expected);
  });

  it.each([
    'yes',
    'true',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.0/8/8',
    'proxy.example',
    '10.0.0.1,',
  ])('are not %p, and the problem says what is expected', (text) => {
    expect(problemsOf({ TRUST_PROXY: text }).TRUST_PROXY).toContain(
      'must be a number of proxies or their addresses',
    );
  });
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
    expect(read(provider).OIDC_TRUST_EMAIL_DOMAINS).toBeUndefined();
    expect(read({ ...provider, OIDC_TRUST_EMAIL_DOMAINS: '' }).OIDC_TRUST_EMAIL_DOMAINS).toBeUndefined();
  });

  it.each([
    'corp',
    '@corp.example',
    '*.corp.example',
    'corp.example,',
    'a@corp.example',
    'ｃorp.example',
    'corp.example;x',
  ])('is not trusted with what is no domain: %s', (domains) => {
    const { OIDC_TRUST_EMAIL_DOMAINS: problem } = problemsOf({
      ...provider,
      OIDC_TRUST_EMAIL_DOMAINS: domains,
    });
    expect(problem).toContain('must be domains of email addresses');
  });

  it('is not trusted without being there', () => {
    expect(problemsOf({ OIDC_TRUST_EMAIL_DOMAINS: 'corp.example' })).toHaveProperty('OIDC_ISSUER');
  });

  it.each([
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/organizations/v2.0',
    'https://login.microsoftonline.com/Consumers/v2.0',
    'https://login.microsoftonline.com/9188040D-6C67-4C5B-B112-36A304B66DAD/v2.0',
    'https://login.microsoftonline.us/common/v2.0',
    'https://login.microsoftonline.com',
  ])('is not trusted when it is that of all tenants: %s', (issuer) => {
    const environment = { ...provider, OIDC_ISSUER: issuer };
    const { OIDC_TRUST_EMAIL_DOMAINS: problem } = problemsOf({
      ...environment,
      OIDC_TRUST_EMAIL_DOMAINS: 'corp.example',
    });
    expect(problem).toContain('anyone can create a tenant there');
    expect(problemsOf(environment)).toEqual({});
  });

  it('is trusted when it is one tenant', () => {
    const issuer = 'https://login.microsoftonline.com/5a7f5c2e-0b7e-4f2c-9a56-0b1f2f6f3c11/v2.0';
    expect(
      problemsOf({ ...provider, OIDC_ISSUER: issuer, OIDC_TRUST_EMAIL_DOMAINS: 'corp.example' }),
    ).toEqual({});
  });
});
