import { PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { boundLists } from './request-checks.js';

const api = PublicApiFixture.forSuite();

/** Searches with these header lines as they are, besides those that every request has. */
async function search(...lines: readonly string[]): Promise<[status: number, body: unknown]> {
  const socket = await api.open();
  const head = ['GET /api/public/v1/search HTTP/1.1', 'Host: a', 'Connection: close', ...lines, '', ''];
  socket.write(head.join('\r\n'));
  const [answer = ''] = await api.answers(socket, 1);
  return [Number(answer.slice(0, 3)), JSON.parse(answer.split('\r\n\r\n')[1] ?? '')];
}

const good = () => `Authorization: Bearer ${api.key}`;
const other = 'authorization: Bearer other';

it.each<[string, string, () => string[]]>([
  ['a good key and another one', 'authorization', () => [good(), other]],
  ['a good key twice', 'authorization', () => [good(), good()]],
  ['an empty and a good key', 'authorization', () => ['authorization:', good()]],
  ['two hosts', 'host', () => [good(), 'HOST: other.example']],
  ['two content types', 'content-type', () => ['Content-Type: text/plain', 'content-type: a/b']],
])('%s are a 400', async (_name, header, lines) => {
  const once = [expect.stringContaining('once') as string];
  const error = expect.stringContaining(header) as string;
  expect(await search(...lines())).toEqual([400, { error, details: { [header]: once } }]);
  expect(api.services.received).toEqual([]);
});

it('headers that decide nothing, or are lists, may come any number of times', async () => {
  const names = ['accept', 'x-request-id', 'x-forwarded-for', 'user-agent', 'traceparent', 'cookie'];
  const twice = names.flatMap((name) => [`${name}: one`, `${name}: two`]);
  expect(await search(good(), ...twice)).toMatchObject([200, {}]);
});

it('of long lists only the first whole items are read, of what is no list the beginning', () => {
  const many = (item: string): string => Array<string>(2_000).fill(item).join(',');
  const accept = `first;q=1,${many('b;q=0.5')}`;
  const headers = { accept, 'content-type': many('a').replaceAll(',', ''), cookie: many('a') };
  boundLists(headers);
  expect(headers.accept).toMatch(/^first;q=1(,b;q=0\.5)+$/);
  expect(headers.accept.length).toBeLessThanOrEqual(512);
  expect(headers['content-type']).toHaveLength(512);
  expect(headers.cookie).toBe(many('a'));
});
