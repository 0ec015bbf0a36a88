import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig, showConfig } from './load-config.js';
import { integer, secret, urlWith } from './validators.js';

const directory = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileWith(content: string): string {
  const path = join(directory, 'value');
  writeFileSync(path, content);
  return path;
}

const specs = {
  PORT: integer({ min: 0, max: 65_535 })({ default: 3000, desc: 'port of the API' }),
  DATABASE_URL: urlWith('postgres:', 'postgresql:')({ desc: 'database of the service' }),
  TOKEN: secret(8)({ desc: 'token of the operator' }),
};
const valid = { DATABASE_URL: 'postgres://localhost/x', TOKEN: 'long enough' };

function problemsOf(environment: Record<string, string>): Readonly<Record<string, string>> {
  try {
    loadConfig(specs, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return {};
}

describe('loadConfig', () => {
  it('returns typed values with their defaults, frozen', () => {
    const config = loadConfig(specs, valid);
    expect(config).toEqual({ PORT: 3000, DATABASE_URL: 'postgres://localhost/x', TOKEN: 'long enough' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports every problem at once, with the expected value', () => {
    const problems = problemsOf({ PORT: '70000', DATABASE_URL: 'mysql://x' });
    expect(Object.keys(problems).sort()).toEqual(['DATABASE_URL', 'PORT', 'TOKEN']);
    expect(problems.PORT).toContain('from 0 to 65535');
    expect(problems.TOKEN).toContain('token of the operator');
  });

  it('treats an empty variable as one that is not set', () => {
    expect(loadConfig(specs, { ...valid, PORT: '', TOKEN_FILE: '' })).toMatchObject({ PORT: 3000 });
    expect(problemsOf({ ...valid, TOKEN: '' }).TOKEN).toContain('is missing');
  });

  it.each(['from a secret\n', ' from a secret\r\n', 'from a secret \t\n\n'])(
    'reads %j without the white space around it, from a variable and from the file that NAME_FILE names',
    (value) => {
      const { DATABASE_URL } = valid;
      expect(loadConfig(specs, { DATABASE_URL, TOKEN: value }).TOKEN).toBe('from a secret');
      expect(loadConfig(specs, { DATABASE_URL, TOKEN_FILE: fileWith(value) }).TOKEN).toBe('from a secret');
    },
  );

  it('accepts a value with an empty file, and refuses one with a file that has a value', () => {
    expect(loadConfig(specs, { ...valid, TOKEN_FILE: fileWith('') }).TOKEN).toBe(valid.TOKEN);
    expect(problemsOf({ ...valid, TOKEN_FILE: fileWith('from a file') }).TOKEN).toContain('both set');
  });

  it("refuses a file that can't be read", () => {
    const { DATABASE_URL } = valid;
    expect(problemsOf({ DATABASE_URL, TOKEN_FILE: '/nowhere' }).TOKEN).toContain("can't be read");
  });
});

it('showConfig shows every variable and no secret', () => {
  const config = {
    OTHER_REDIS_URL: 'redis+sentinel://gateway:hunter2@a/main?sentinel_password=hunter2&sentinel_username=s',
    SERVICE_REDIS_URL: 'rediss://gateway:p%40ss:w@redis.example:6379/0',
    STRIPE_SECRET_KEY: 'sk_live_hunter2',
    PORT: 3000,
    TLS_CERT_FILE: undefined,
  };
  expect(showConfig(config).split('\n')).toEqual([
    'OTHER_REDIS_URL=redis+sentinel://gateway:***@a/main?sentinel_password=***&sentinel_username=s',
    'PORT=3000',
    'SERVICE_REDIS_URL=rediss://gateway:***@redis.example:6379/0',
    'STRIPE_SECRET_KEY=***',
    'TLS_CERT_FILE=',
    '',
  ]);
});
