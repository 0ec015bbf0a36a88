import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { charge } from '@app/contracts';
import { metricsText } from '@app/platform';
import { gate, until } from '@app/testing';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const connectionsMax = 40;
const perAddressMax = 30;

let api: PublicApiFixture;
let opened: Socket[];

beforeAll(async () => {
  api = await PublicApiFixture.start({
    MAX_CONNECTIONS: String(connectionsMax),
    MAX_CONNECTIONS_PER_ADDRESS: String(perAddressMax),
    TRUST_PROXY: '127.0.0.9',
  });
});
afterAll(() => api?.stop());
beforeEach(() => {
  api.scriptSuccess();
  opened = [];
});
afterEach(async () => {
  for (const socket of opened) socket.destroy();
  await until(async () => (await openConnections()) === 0);
});

const openConnections = (): Promise<number> =>
  new Promise((resolve) => api.server.getConnections((_error, count) => resolve(count)));

async function open(localAddress: string): Promise<Socket> {
  const accepted = once(api.server, 'connection');
  const socket = connect({ port: api.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  opened.push(socket);
  await Promise.all([once(socket, 'connect'), accepted]);
  return socket;
}

async function openMany(localAddress: string, count: number): Promise<Socket[]> {
  const sockets = [];
  for (let number = 0; number < count; number++) sockets.push(await open(localAddress));
  return sockets;
}

function ask(socket: Socket): void {
  socket.write(
    `GET /api/public/v1/creators/luna HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\n\r\n`,
  );
}

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
  await api.settlements.next();
});

it('one address does not hold more than its share, and others are still let in', async () => {
  await openMany('127.0.0.2', perAddressMax + 20);
  await until(async () => (await openConnections()) <= perAddressMax);
  const others = await openMany('127.0.0.3', connectionsMax - perAddressMax);
  expect(await openConnections()).toBe(connectionsMax);
  for (const socket of others) expect(await call(socket)).toBe('200');
  for (let count = 0; count < others.length; count++) await api.settlements.next();
});

it('when all are taken, those of the address with the most give way, who was answered last at the end', async () => {
  const crowd = await openMany('127.0.0.2', perAddressMax - 1);
  const [idle] = crowd;
  if (!idle) throw new Error('nothing was opened');
  expect(await call(idle)).toBe('200');
  await api.settlements.next();
  const small = await openMany('127.0.0.3', connectionsMax - perAddressMax + 1);
  await open('127.0.0.4');
  await closed(crowd[1] ?? idle);
  expect(idle.closed).toBe(false);
  expect(small.every((socket) => !socket.closed)).toBe(true);
});

it('who has just come does not give way to connections that were answered before', async () => {
  const answered = await openMany('127.0.0.2', perAddressMax - 1);
  for (const socket of answered) expect(await call(socket)).toBe('200');
  for (let count = 0; count < answered.length; count++) await api.settlements.next();
  const customer = await open('127.0.0.2');
  await openMany('127.0.0.2', 10);
  expect(await call(customer)).toBe('200');
  await api.settlements.next();
});

it('a call in progress is never cut off for a new connection', async () => {
  const [allAsked, finish] = [gate(), gate()];
  let asked = 0;
  api.services.on(charge, async () => {
    if (++asked === perAddressMax) allAsked.open();
    await finish.opened;
    return { outcome: 'charged' as const, credits_used: 1, credits_remaining: 9 };
  });
  const calls = await openMany('127.0.0.2', perAddressMax);
  calls.forEach(ask);
  await allAsked.opened;
  const refused = await open('127.0.0.2');
  await closed(refused);
  const answers = calls.map(answerOf);
  finish.open();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['200']));
  for (let count = 0; count < perAddressMax; count++) await api.settlements.next();
});

it('requests whose bodies do not come give way like connections that say nothing', async () => {
  const slow = await openMany('127.0.0.2', perAddressMax);
  for (const socket of slow) {
    socket.write(
      `POST /api/public/v1/lookup HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.key}\r\nContent-Length: 90\r\n\r\n{`,
    );
  }
  const inFlight = async (): Promise<string | undefined> =>
    /requests_in_flight\{api="public"\} (\d+)/.exec((await metricsText()).text)?.[1];
  await until(async () => (await inFlight()) === String(perAddressMax));
  const fresh = await open('127.0.0.2');
  await closed(slow[0] ?? fresh);
  expect(await call(fresh)).toBe('200');
  expect(slow.slice(1).every(({ closed }) => !closed)).toBe(true);
  await api.settlements.next();
});

it('a proxy that is trusted holds as many as there may be', async () => {
  await openMany('127.0.0.9', connectionsMax);
  expect(await openConnections()).toBe(connectionsMax);
});
