import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Exchange, type ExchangeEnd } from './exchange.js';

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
