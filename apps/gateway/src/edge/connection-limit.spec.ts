import { createServer, type Server, Socket } from 'node:net';
import { ConnectionLimit } from './connection-limit.js';

/** A connection of an IPv6 client: this machine may have no such address. */
function connectionFrom(remoteAddress: string, remotePort: number): Socket {
  return Object.defineProperties(new Socket(), {
    remoteAddress: { value: remoteAddress },
    remotePort: { value: remotePort },
  });
}

let server: Server;
let limit: ConnectionLimit;
let opened: number;
beforeEach(() => {
  server = createServer();
  limit = new ConnectionLimit({ connectionsMax: 1_000, perAddressMax: 100, isProxy: () => false });
  limit.watch(server);
  opened = 0;
});

async function open(address: string): Promise<Socket> {
  const socket = connectionFrom(address, ++opened);
  server.emit('connection', socket);
  await new Promise(setImmediate);
  return socket;
}

it.each([
  ['a /64', 100, (index: number) => `2001:db8:1:1::${index.toString(16)}`],
  ['a /56', 125, (index: number) => `2001:db8:1:1${(index % 256).toString(16).padStart(2, '0')}::1`],
  ['a /48', 150, (index: number) => `2001:db8:1:${index.toString(16)}00::1`],
])('connections of %s of IPv6 are at most %d', async (_network, max, addressOf) => {
  for (let index = 1; index <= 200; index += 1) await open(addressOf(index % 250));
  expect(limit.open).toBeLessThanOrEqual(max);
  expect(limit.open).toBeGreaterThan(max - 5);
});

it('connections of IPv6 clients give way first where one site has most, however many networks it spreads them over', async () => {
  limit = new ConnectionLimit({ connectionsMax: 100, perAddressMax: 90, isProxy: () => false });
  server = createServer();
  limit.watch(server);
  const customer = [await open('198.51.100.7'), await open('198.51.100.7'), await open('198.51.100.7')];
  for (let index = 0; index < 200; index += 1) await open(`2001:db8:1:${index.toString(16)}::1`);
  expect(customer.filter(({ destroyed }) => destroyed)).toEqual([]);
  expect(limit.open).toBeLessThanOrEqual(100);
});
