import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { bindSocket, type BoundSocket } from './ports.js';

/** Answers every request with its own pid, on the inherited descriptor. */
const program = `
  require('node:http')
    .createServer((request, response) => response.end(String(process.pid)))
    .listen({ fd: 3 }, () => console.log('listening'));
`;

async function listenOn(socket: BoundSocket): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'pipe', 'inherit', socket.descriptor],
  });
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function call(socket: BoundSocket): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${socket.port}`, { headers: { connection: 'close' } });
  return Number(await response.text());
}

describe('bindSocket', () => {
  let socket: BoundSocket;

  beforeEach(() => {
    socket = bindSocket(0);
  });

  afterEach(() => socket.close());

  it('lets callers wait while the process behind it restarts', async () => {
    await end(await listenOn(socket));
    const early = call(socket);
    const child = await listenOn(socket);
    expect(await early).toBe(child.pid);
    await end(child);
  });

  it('says which port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(() => bindSocket(port)).toThrow(`Port ${port} is in use`);
    other.close();
  });
});
