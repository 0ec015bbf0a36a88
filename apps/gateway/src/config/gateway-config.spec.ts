import { configProblems } from '#testing';
import { readGatewayConfig } from './gateway-config.js';

const needed = {
  SERVICE_REDIS_URL: 'redis://localhost:6379',
  ADMIN_TOKEN: 'a token of the operator',
};

const read = (environment: Record<string, string>) => readGatewayConfig({ ...needed, ...environment });

const problemsOf = (environment: Record<string, string>) => configProblems(() => read(environment));

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
    expect(Object.keys(problemsOf({ TLS_KEY_FILE: __filename }))).toEqual(['TLS_CERT_FILE']);
    const both = { TLS_KEY_FILE: __filename, TLS_CERT_FILE: __filename };
    expect(Object.keys(problemsOf(both))).toEqual(['TLS_CERT_FILE']);
  });

  it.each<[Record<string, string>, string[]]>([
    [{ PORT: '9000', HOST: '10.0.0.1' }, []],
    [{ PORT: '9000', HOST: '0.0.0.0' }, ['INTERNAL_PORT']],
    [{ PORT: '9000', ADMIN_PORT: '9000', LISTEN_FDS: '2' }, []],
    [{ PORT: '0', ADMIN_PORT: '0' }, []],
  ])('is a port that two servers share: in %j %j', (environment, names) => {
    expect(Object.keys(problemsOf(environment))).toEqual(names);
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

  it.each(['yes', '10.0.0.0/33', '10.0.0.0/0', 'proxy.example', '10.0.0.1,'])(
    'are not %p, and the problem says what is expected',
    (text) => {
      expect(problemsOf({ TRUST_PROXY: text }).TRUST_PROXY).toContain(
        'must be a number of proxies or their addresses',
      );
    },
  );
});
