import { resolve } from 'node:path';
import { cliLine, parseOptions, stopLine, UsageError } from './options.js';

describe('options of the launcher', () => {
  it('are one of each service with a sample, in the foreground, when none is given', () => {
    expect(parseOptions([])).toMatchObject({
      replicas: { gateway: 1, catalog: 1, billing: 1 },
      publicPort: undefined,
      adminPort: undefined,
      sample: true,
      detach: false,
    });
  });

  it('name replicas per service; those that are not named stay one', () => {
    expect(parseOptions(['--replicas', 'gateway=2,billing=3'])?.replicas).toEqual({
      gateway: 2,
      catalog: 1,
      billing: 3,
    });
  });

  it.each([
    [['--replica', 'gateway=2'], '--replica'],
    [['--replicas', 'gateways=2'], '"gateways=2" is invalid'],
    [['--replicas', 'gateway=0'], '"gateway=0" is invalid'],
    [['--replicas', 'gateway=17'], '"gateway=17" is invalid'],
    [['--public-port', '0'], '--public-port must be a port'],
    [['--admin-port', '70000'], '--admin-port must be a port'],
    [['surplus'], 'surplus'],
  ])('%j is refused by name', (parameters, message) => {
    expect(() => parseOptions(parameters)).toThrow(UsageError);
    expect(() => parseOptions(parameters)).toThrow(message);
  });

  it('asking for help is no mistake', () => {
    expect(parseOptions(['--help'])).toBeNull();
  });
});

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
