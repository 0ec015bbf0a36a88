import { parseOptions, UsageError } from './options.js';

it('replicas are named per service; those that are not named are one', () => {
  const { replicas } = parseOptions(['--replicas', 'gateway=2,billing=3']) ?? {};
  expect(replicas).toEqual({ gateway: 2, website: 1, catalog: 1, billing: 3 });
});

it.each([
  [['--replica', 'gateway=2'], '--replica'],
  [['--replicas', 'gateways=2'], '"gateways=2" is invalid'],
  [['--replicas', 'gateway=17'], '"gateway=17" is invalid'],
  [['--public-port', '0'], '--public-port must be a port'],
  [['surplus'], 'surplus'],
])('%j is refused by name', (parameters, message) => {
  expect(() => parseOptions(parameters)).toThrow(UsageError);
  expect(() => parseOptions(parameters)).toThrow(message);
});
