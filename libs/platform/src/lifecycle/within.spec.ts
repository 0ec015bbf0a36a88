import { within } from './within.js';

it('waits for work that is done in time', async () => {
  let isDone = false;
  const work = Promise.resolve().then(() => (isDone = true));
  await within(60_000, work);
  expect(isDone).toBe(true);
});

it('throws what the work throws in time', async () => {
  await expect(within(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
});

it('goes on without work that is never done', async () => {
  await within(0, new Promise(() => undefined));
});
