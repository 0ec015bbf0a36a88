import { createLogger } from '../logging/logger.js';
import { patiently } from './patiently.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

it('gives the first success of something that is late', async () => {
  let attempts = 0;
  const late = (): Promise<string> =>
    ++attempts < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve('here');
  await expect(patiently({ what: 'it', logger, patienceMs: 10_000 }, late)).resolves.toBe('here');
  expect(attempts).toBe(3);
});

it('raises the last failure of something that does not come', async () => {
  let attempts = 0;
  const never = (): Promise<string> => Promise.reject(new Error(`failure ${++attempts}`));
  await expect(patiently({ what: 'it', logger, patienceMs: 400 }, never)).rejects.toThrow(/^failure \d$/);
  expect(attempts).toBeGreaterThan(1);
});
