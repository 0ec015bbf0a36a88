import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, loadConfig } from './load-config.js';
import { integer, secret, urlWith } from './validators.js';

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
  it('gives typed values with their defaults, frozen', () => {
    const config = loadConfig(specs, valid);
    expect(config).toEqual({ PORT: 3000, DATABASE_URL: 'postgres://localhost/x', TOKEN: 'long enough' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('names every problem at once, with what is expected', () => {
    const problems = problemsOf({ PORT: '70000', DATABASE_URL: 'mysql://x' });
    expect(Object.keys(problems).sort()).toEqual(['DATABASE_URL', 'PORT', 'TOKEN']);
    expect(problems.PORT).toContain('from 0 to 65535');
    expect(problems.TOKEN).toContain('token of the operator');
  });

  it('never repeats the value of a variable that did not pass', () => {
    expect(JSON.stringify(problemsOf({ ...valid, TOKEN: 'hunter2' }))).not.toContain('hunter2');
  });

  it('treats an empty variable as one that is not set', () => {
    expect(loadConfig(specs, { ...valid, PORT: '', TOKEN_FILE: '' })).toMatchObject({ PORT: 3000 });
    expect(problemsOf({ ...valid, TOKEN: '' }).TOKEN).toContain('is missing');
  });

  it('reads a value from the file that NAME_FILE names', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'config-')), 'token');
    writeFileSync(path, 'from a file\n');
    const { DATABASE_URL } = valid;
    expect(loadConfig(specs, { DATABASE_URL, TOKEN_FILE: path }).TOKEN).toBe('from a file');
  });

  it('treats an empty file as a variable that is not set', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'config-')), 'port');
    writeFileSync(path, '\n');
    expect(loadConfig(specs, { ...valid, PORT_FILE: path })).toMatchObject({ PORT: 3000 });
  });

  it('refuses a value and a file for the same variable, and a file that is not there', () => {
    expect(problemsOf({ ...valid, TOKEN_FILE: '/nowhere' }).TOKEN).toContain('both set');
    expect(problemsOf({ DATABASE_URL: valid.DATABASE_URL, TOKEN_FILE: '/nowhere' }).TOKEN).toContain(
      "can't be read",
    );
  });
});
