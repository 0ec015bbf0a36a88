import { createServer } from 'node:net';

const host = '127.0.0.1';

/** Whether nothing listens on the port of the loopback address. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    await (await listen(port)).release();
    return true;
  } catch {
    return false;
  }
}

/** Distinct free ports; all are held until the last is found. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, () => listen(0)));
  await Promise.all(held.map(({ release }) => release()));
  return held.map(({ port }) => port);
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('no free port');
  return port;
}

function listen(port: number): Promise<{ port: number; release: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') return reject(new Error('no TCP address'));
      resolve({
        port: address.port,
        release: () => new Promise((released) => server.close(() => released())),
      });
    });
  });
}
