import { StartError } from '../errors.js';
import { createLogger } from '../logger.js';
import { withRetries, within } from './with-retries.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

it('withRetries returns the first success', async () => {
  let attempts = 0;
  const late = (): Promise<string> =>
    ++attempts < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve('here');
  await expect(withRetries({ what: 'it', logger, timeoutMs: 10_000 }, late)).resolves.toBe('here');
  expect(attempts).toBe(3);
});

it('withRetries throws the last failure in one line when the time is up', async () => {
  let attempts = 0;
  const never = (): Promise<string> => Promise.reject(new Error(`failure ${++attempts}`));
  const waiting = withRetries({ what: 'it', logger, timeoutMs: 400 }, never);
  await expect(waiting).rejects.toThrow(/^No it after \d s: failure \d$/);
  await expect(waiting).rejects.toBeInstanceOf(StartError);
  expect(attempts).toBeGreaterThan(1);
});

it('within throws what the work throws in time', async () => {
  await expect(within(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

it('within stops waiting for work that never ends', async () => {
  await within(0, new Promise(() => undefined));
});
