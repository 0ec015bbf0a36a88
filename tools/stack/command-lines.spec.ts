import { resolve } from 'node:path';
import { cliLine, stopLine } from './command-lines.js';

describe('the lines that a launcher prints', () => {
  it('name the data directory when it is not the usual one', () => {
    expect([stopLine('/tmp/x'), cliLine('/tmp/x')]).toEqual([
      'npm stop -- --data-dir /tmp/x',
      'npm run cli -- --data-dir /tmp/x',
    ]);
    expect(stopLine("/tmp/it's mine")).toBe(`npm stop -- --data-dir '/tmp/it'\\''s mine'`);
  });

  it('are short for the usual one', () => {
    expect([stopLine(resolve('.local')), cliLine(resolve('.local'))]).toEqual(['npm stop', 'npm run cli --']);
  });
});
