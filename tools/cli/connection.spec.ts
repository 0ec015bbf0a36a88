import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findConnection } from './connection.js';

const directory = mkdtempSync(join(tmpdir(), 'cli-'));
const missing = join(directory, 'missing.json');
const stackFile = join(directory, 'stack.json');
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(stackFile, JSON.stringify({ admin_url: 'http://127.0.0.1:4000', admin_token: 'of the stack' }));

const find = (
  options: { adminUrl?: string; adminToken?: string },
  environment: Record<string, string>,
  file = stackFile,
): unknown => findConnection({ options, environment, stackFile: file });

describe('findConnection', () => {
  it('prefers options to the environment, and the environment to the local stack', () => {
    const environment = { ADMIN_URL: 'http://env:1', ADMIN_TOKEN: 'of the environment' };
    const options = { adminUrl: 'http://option:1/', adminToken: 'of the option' };
    expect(find(options, environment)).toEqual({ url: 'http://option:1', token: 'of the option' });
    expect(find({}, environment)).toEqual({ url: 'http://env:1', token: 'of the environment' });
    expect(find({}, {})).toEqual({ url: 'http://127.0.0.1:4000', token: 'of the stack' });
  });

  it('reads the token from a file, as the container of the command line has it', () => {
    const token = join(directory, 'token');
    writeFileSync(token, 'of the file\n');
    const environment = { ADMIN_URL: 'http://gateway:1', ADMIN_TOKEN_FILE: token };
    expect(find({}, environment)).toEqual({ url: 'http://gateway:1', token: 'of the file' });
    expect(() => find({}, { ...environment, ADMIN_TOKEN_FILE: missing })).toThrow(
      "ADMIN_TOKEN_FILE can't be read",
    );
  });

  it('never sends the token of the local stack to another service', () => {
    expect(() => find({ adminUrl: 'http://elsewhere:1' }, {})).toThrow(
      'No admin token for http://elsewhere:1',
    );
  });

  it('says what is missing or wrong', () => {
    expect(() => find({}, {}, missing)).toThrow('npm start');
    expect(() => find({ adminUrl: 'nonsense', adminToken: 'x' }, {})).toThrow('not a URL');
    writeFileSync(missing, '{');
    expect(() => find({}, {}, missing)).toThrow('not valid JSON');
  });
});
