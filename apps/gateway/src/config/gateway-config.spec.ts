import { ConfigError } from '@app/platform';
import { readGatewayConfig } from './gateway-config.js';

const needed = {
  SERVICE_REDIS_URL: 'redis://localhost:6379',
  INTERNAL_PORT: '9000',
  ADMIN_TOKEN: 'a token of the operator',
};

describe('times that do not fit together', () => {
  it.each([
    [{ DRAIN_MS: '15000', REQUEST_DEADLINE_MS: '5000' }, 26_667],
    [{ REQUEST_DEADLINE_MS: '20000' }, 28_000],
    [{ SHUTDOWN_MS: '7000' }, 8_000],
  ])('%j: SHUTDOWN_MS must be at least %i', (environment, atLeast) => {
    expect(() => readGatewayConfig({ ...needed, ...environment })).toThrow(
      `SHUTDOWN_MS: must be at least ${atLeast}: DRAIN_MS`,
    );
    const enough = { ...needed, ...environment, SHUTDOWN_MS: String(atLeast) };
    expect(readGatewayConfig(enough).SHUTDOWN_MS).toBe(atLeast);
  });

  it('that are not numbers are reported as such', () => {
    expect(() => readGatewayConfig({ ...needed, DRAIN_MS: 'long', SHUTDOWN_MS: '5' })).toThrow(
      /DRAIN_MS: must be an integer[^]*SHUTDOWN_MS: must be an integer|SHUTDOWN_MS: must be an integer[^]*DRAIN_MS: must be an integer/,
    );
  });
});

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readGatewayConfig({ ...needed, ...environment });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return Object.keys(error.problems).sort();
    throw error;
  }
}

describe('what does not fit together', () => {
  it('is named together with everything else that is wrong', () => {
    const environment = {
      TLS_CERT_FILE: '/nowhere/certificate.pem',
      PORT: '9000',
      ADMIN_PORT: '9000',
      SHUTDOWN_MS: '1000',
      LOG_LEVEL: 'loud',
    };
    expect(problemsOf(environment)).toEqual([
      'ADMIN_PORT',
      'INTERNAL_PORT',
      'LOG_LEVEL',
      'SHUTDOWN_MS',
      'TLS_CERT_FILE',
      'TLS_KEY_FILE',
    ]);
  });

  it('is a certificate without its key, and files that are none', () => {
    expect(problemsOf({ TLS_KEY_FILE: __filename })).toEqual(['TLS_CERT_FILE']);
    expect(problemsOf({ TLS_KEY_FILE: __filename, TLS_CERT_FILE: __filename })).toEqual(['TLS_CERT_FILE']);
  });

  it('is no port that is used on different addresses, is inherited, or is any free one', () => {
    expect(problemsOf({ PORT: '9000', HOST: '10.0.0.1' })).toEqual([]);
    expect(problemsOf({ PORT: '9000', HOST: '0.0.0.0' })).toEqual(['INTERNAL_PORT']);
    expect(problemsOf({ PORT: '9000', ADMIN_PORT: '9000', LISTEN_FDS: '2' })).toEqual([]);
    expect(problemsOf({ PORT: '0', ADMIN_PORT: '0' })).toEqual([]);
  });
});
