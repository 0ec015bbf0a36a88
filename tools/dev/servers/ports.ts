import { once } from 'node:events';
import * as net from 'node:net';

/**
 * A TCP socket that is bound here and inherited by the processes that listen on it. While it is open, clients wait in
 * its queue when those processes restart; no connection is refused.
 */
export interface BoundSocket {
  readonly port: number;
  readonly descriptor: number;
  close(): void;
}

interface BoundHandle {
  readonly fd: number;
  getsockname(address: { port?: number }): number;
  close(): void;
}

const host = '127.0.0.1';
const ipv4 = 4;

/** Binds the port, 0 for a free one. Throws when it is in use. */
export function bindSocket(port: number): BoundSocket {
  const handle = createHandle(port);
  const address: { port?: number } = {};
  handle.getsockname(address);
  // A port in use shows only here: libuv defers that error until listening.
  if (!address.port || (port !== 0 && address.port !== port)) {
    handle.close();
    throw new Error(`Port ${port} is in use.`);
  }
  return { port: address.port, descriptor: handle.fd, close: () => handle.close() };
}

/**
 * Node's public API can't bind without accepting; this is the function that its cluster module uses for that. It
 * returns an error number instead of a handle when the port is in use.
 */
function createHandle(port: number): BoundHandle {
  const create: unknown = Reflect.get(net, '_createServerHandle');
  if (typeof create !== 'function') throw new Error(`Node ${process.version} can't bind a socket to share`);
  const handle: unknown = Reflect.apply(create, net, [host, port, ipv4, undefined, 0]);
  if (isHandle(handle)) return handle;
  throw new Error(`Port ${port} is in use.`);
}

function isHandle(value: unknown): value is BoundHandle {
  return typeof value === 'object' && value !== null && 'fd' in value && 'getsockname' in value;
}

/** Whether nothing listens on the port of the loopback address. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    await release(await hold(port));
    return true;
  } catch {
    return false;
  }
}

/** Distinct free ports; all are held until the last is found. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, () => hold(0)));
  const ports = held.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(held.map(release));
  return ports;
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('no free port');
  return port;
}

async function hold(port: number): Promise<net.Server> {
  const server = net.createServer().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  return server;
}

function release(server: net.Server): Promise<unknown> {
  return new Promise((released) => server.close(released));
}
