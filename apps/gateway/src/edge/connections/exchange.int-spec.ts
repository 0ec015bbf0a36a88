import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { decorateRequests, serializeRequests } from '../serialize-requests.js';
import { Exchange, type ExchangeEnd, OpenExchanges } from './exchange.js';

/** One request on a real connection: what `act` does with both sides of it decides how its exchange ends. */
async function endOf(act: (client: Socket, response: ServerResponse) => void): Promise<ExchangeEnd> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const exchange = new Exchange(request.socket);
  response.once('finish', () => exchange.answered());
  request.socket.on('error', () => undefined).once('close', () => exchange.disconnected());
  const ended = new Promise<ExchangeEnd>((resolve) => exchange.onEnd(resolve));
  act(client, response);
  const end = await ended;
  client.destroy();
  server.close();
  return end;
}

it('an answer is abandoned when its write fails, although Node up to 22 calls it finished', async () => {
  const end = await endOf((client, response) => {
    client.resetAndDestroy();
    // In the same tick: this side does not know of the reset yet.
    response.end('answer');
  });
  expect(end).toBe('abandoned');
});

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const requestAndEnd = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

describe('open exchanges', () => {
  let server: FastifyInstance;
  let exchanges: OpenExchanges;
  let replies: FastifyReply[];
  let sockets: Socket[];

  beforeEach(async () => {
    server = fastify();
    replies = [];
    sockets = [];
    decorateRequests(server);
    server.addHook('onRequest', serializeRequests(server));
    exchanges = OpenExchanges.of(server.server);
    server.get('/', (_request, reply) => {
      replies.push(reply);
      server.server.emit('in progress');
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await server.close();
  });

  /** A connection on which these bytes were sent; resolves when `count` requests in all are in progress. */
  async function send(bytes: string, count: number): Promise<Socket> {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.write(bytes);
    while (replies.length < count) await once(server.server, 'in progress');
    return socket;
  }

  it('are none at first, and none again once each was answered', async () => {
    await exchanges.none();
    const socket = await send(requestAndEnd, 1);
    await send(requestAndEnd, 2);
    expect([exchanges.count, exchanges.total]).toEqual([2, 2]);
    for (const reply of replies) void reply.send('done');
    await Promise.all([exchanges.none(), buffer(socket)]);
    expect([exchanges.count, exchanges.total]).toEqual([0, 2]);
  });

  it('stay open until a slow client has read the answer', async () => {
    const socket = await send(requestAndEnd, 1);
    void replies[0]?.send(Buffer.alloc(20_000_000));
    await once(socket, 'readable');
    expect(exchanges.count).toBe(1);
    await buffer(socket);
    await exchanges.none();
  });

  it('that wait for their turn on a connection end with it', async () => {
    const socket = await send(request.repeat(3), 1);
    expect(exchanges.count).toBe(3);
    socket.resetAndDestroy();
    await exchanges.none();
    expect([exchanges.count, exchanges.total, replies.length]).toEqual([0, 3, 1]);
  });
});
