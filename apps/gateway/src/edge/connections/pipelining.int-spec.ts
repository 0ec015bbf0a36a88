import { once } from 'node:events';
import { type Socket } from 'node:net';
import { charge } from '#contracts';
import { gate, until } from '#testing';
import { PublicApiFixture } from '../../fixtures/public-api.fixture.js';

/** Bytes that are read at once. */
const chunkBytes = 65_536;
const calls = 150;

const api = PublicApiFixture.forSuite();
afterEach(() => api.disconnect());

/** Calls that are 2 kB long each. */
function written(count: number): string {
  const padding = `Padding: ${'x'.repeat(2_000)}`;
  const ids = Array.from({ length: count }, (_, index) => index);
  return ids.map((id) => api.written('/creators/luna', `X-Request-Id: call-${id}`, padding)).join('');
}

/** A connection on which this was sent, from both sides, once its first call is in progress. */
async function openWith(text: string, isEnd = false): Promise<{ client: Socket; side: Socket }> {
  const connected = once(api.server, 'connection') as Promise<[Socket]>;
  const [client, [side]] = await Promise.all([api.open({ allowHalfOpen: true }), connected]);
  if (isEnd) client.end(text);
  else client.write(text);
  return { client, side };
}

/** The ids and statuses of the next answers. */
async function answers(client: Socket, count: number): Promise<string[]> {
  const texts = await api.answers(client, count);
  return texts.map((answer) => `${/^x-request-id: (\S+)/im.exec(answer)?.[1]} ${answer.slice(0, 3)}`);
}

const allAnswered = Array.from({ length: calls }, (_, id) => `call-${id} 200`);

it.each([false, true])(
  'nothing more is read from a connection while 16 calls wait, and all are answered in order (half-closed: %s)',
  async (isHalfClosed) => {
    const finish = gate();
    api.answerCharges({}, finish.opened);
    const { client, side } = await openWith(written(calls), isHalfClosed);
    await until(() => api.services.payloadsOf(charge).length > 0);
    // Time in which all of it would be read.
    for (let other = 0; other < 3; other += 1) await fetch(`${api.origin}/openapi.json`);
    expect(side.bytesRead).toBeLessThanOrEqual(2 * chunkBytes);
    finish.open();
    expect(await answers(client, calls)).toEqual(allAnswered);
    expect(await api.outcomes(calls)).toEqual(Array<string>(calls).fill('posted'));
  },
);

it('a call that was not read in time because others waited is answered; one that does not come is not', async () => {
  const { headersTimeout } = api.server;
  api.server.headersTimeout = 100;
  try {
    const finish = gate();
    api.answerCharges({}, finish.opened);
    const late = once(api.server, 'clientError');
    const { client } = await openWith(`${written(calls)}GET /half`);
    await late;
    api.server.headersTimeout = headersTimeout;
    finish.open();
    expect(await answers(client, calls)).toEqual(allAnswered);
    expect(await answers(client, 1)).toEqual([expect.stringMatching(/ 408$/)]);
    expect(await api.outcomes(calls)).toEqual(Array<string>(calls).fill('posted'));
  } finally {
    api.server.headersTimeout = headersTimeout;
  }
});
