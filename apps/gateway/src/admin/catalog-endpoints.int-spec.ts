import { getRemoval, listRemovals, type MessageContract, readmitCreator, removeCreator } from '#contracts';
import { AdminFixture } from './admin.fixture.js';
import { removal } from './answers.fixture.js';

const admin = AdminFixture.forTests();
const { id: removal_id, reference } = removal;
const accounts = [{ platform: 'youtube', handle: '@ada' }] as const;

interface Expected {
  readonly body?: object;
  readonly asks: object;
  readonly answer: unknown;
  readonly status?: number;
  /** The body of the reply, when it is not the answer itself. */
  readonly shows?: object;
}

type Endpoint = readonly [call: string, message: MessageContract<unknown, unknown>, expected: Expected];

const page = { items: [removal], next_cursor: 'def' };
const ofRemovals: readonly Endpoint[] = [
  [
    'POST /creators/ada/remove',
    removeCreator,
    { body: { reference }, asks: { slug: 'ada', reference }, answer: removal, status: 201 },
  ],
  [
    'POST /removals',
    removeCreator,
    {
      body: { reference: ` ${reference}`, note: 'by mail', accounts },
      asks: { reference, note: 'by mail', accounts },
      answer: removal,
      status: 201,
    },
  ],
  [
    'GET /removals?limit=2&cursor=abc',
    listRemovals,
    { asks: { limit: 2, cursor: 'abc' }, answer: page, shows: { removals: [removal], next_cursor: 'def' } },
  ],
  [`GET /removals/${removal_id}`, getRemoval, { asks: { removal_id }, answer: removal }],
  [`DELETE /removals/${removal_id.toUpperCase()}`, readmitCreator, { asks: { removal_id }, answer: removal }],
];

describe('every endpoint asks the catalog and shows the answer', () => {
  it.each(ofRemovals)('%s', async (call, message, { body, asks, answer, status = 200, shows }) => {
    admin.on(message, () => answer);
    expect(await admin.call(call, body)).toMatchObject({ status, body: shows ?? answer });
    expect(admin.received).toEqual([{ pattern: message.pattern, payload: asks }]);
  });
});

it.each(['GET /removals/5', 'DELETE /removals/x', 'POST /creators/A/remove'])(
  '404 for a malformed id: %s',
  async (call) => {
    const body = call.startsWith('POST') ? { reference } : undefined;
    expect(await admin.call(call, body)).toMatchObject({ status: 404 });
    expect(admin.received).toEqual([]);
  },
);
