import { ServiceError } from '#contracts';
import { type RequestContext } from '#transport';
import { GatheredLookUps } from './gathered-look-ups.js';

/** Of a request that has no time left when its network's look-ups are sent. */
const late: RequestContext = {
  requestId: 'late',
  get deadlineMs(): number {
    throw new ServiceError('deadline_exceeded', 'The request took too long.');
  },
};

it('look-ups that are sent together have the deadline of their message, not of a request among them', async () => {
  const asked: (number | undefined)[] = [];
  const lookUps = new GatheredLookUps<string>((hashes, { deadlineMs }) => {
    asked.push(deadlineMs);
    return Promise.resolve(hashes);
  });
  const [first, second] = [
    lookUps.find('a', '192.0.2.1', late),
    lookUps.find('b', '192.0.2.1', { requestId: 'other', deadlineMs: 4_000 }),
  ];
  expect(await Promise.all([first, second])).toEqual(['a', 'b']);
  expect(asked).toEqual([undefined]);
});
