import { once } from 'node:events';
import { type Socket } from 'node:net';
import { charge } from '#contracts';
import { gate, until } from '#testing';
import { metric, PublicApiFixture } from '../fixtures/public-api.fixture.js';

const connectionsMax = 40;
const perAddressMax = 30;

const api = PublicApiFixture.forSuite({
  MAX_CONNECTIONS: String(connectionsMax),
  MAX_CONNECTIONS_PER_ADDRESS: String(perAddressMax),
  TRUST_PROXY: '127.0.0.9',
});
afterEach(async () => {
  api.disconnect();
  await until(async () => (await openConnections()) === 0);
});

const openConnections = (): Promise<number> =>
  new Promise((resolve) => api.server.getConnections((_error, count) => resolve(count)));

async function open(localAddress: string): Promise<Socket> {
  const accepted = once(api.server, 'connection');
  const [socket] = await Promise.all([api.open({ localAddress }), accepted]);
  return socket;
}

async function openMany(localAddress: string, count: number): Promise<Socket[]> {
  const sockets = [];
  for (let number = 0; number < count; number++) sockets.push(await open(localAddress));
  return sockets;
}

const ask = (socket: Socket): boolean => socket.write(api.written('/creators/luna'));

async function answerOf(socket: Socket): Promise<string> {
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString().slice(9, 12);
}

async function call(socket: Socket): Promise<string> {
  ask(socket);
  return answerOf(socket);
}

const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : once(socket.resume(), 'close');

it('connections that have sent nothing give way to new ones, the oldest first', async () => {
  const [oldest, ...silent] = await openMany('127.0.0.2', perAddressMax);
  const fresh = await open('127.0.0.2');
  if (!oldest) throw new Error('nothing was opened');
  await closed(oldest);
  expect(await call(fresh)).toBe('200');
  expect(silent.every(({ closed }) => !closed)).toBe(true);
  await api.outcomes(1);
});

it('a call in progress is never cut off for a new connection', async () => {
  const finish = gate();
  api.answerCharges({}, finish.opened);
  const calls = await openMany('127.0.0.2', perAddressMax);
  calls.forEach(ask);
  await until(() => api.services.payloadsOf(charge).length === perAddressMax);
  const refused = await open('127.0.0.2');
  await closed(refused);
  const answers = calls.map(answerOf);
  finish.open();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['200']));
  await api.outcomes(perAddressMax);
});

it('requests whose bodies never arrive give way like silent connections', async () => {
  const slow = await openMany('127.0.0.2', perAddressMax);
  for (const socket of slow) {
    socket.write(
      `POST /api/public/v1/lookup HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\nContent-Length: 90\r\n\r\n{`,
    );
  }
  await until(async () => (await metric('http_requests_in_flight{api="public"')) === perAddressMax);
  const fresh = await open('127.0.0.2');
  await closed(slow[0] ?? fresh);
  expect(await call(fresh)).toBe('200');
  expect(slow.slice(1).every(({ closed }) => !closed)).toBe(true);
  await api.outcomes(1);
});

it('a trusted proxy may hold all connections', async () => {
  await openMany('127.0.0.9', connectionsMax);
  expect(await openConnections()).toBe(connectionsMax);
});
