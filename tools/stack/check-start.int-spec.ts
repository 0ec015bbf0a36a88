import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from './check-start.js';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'start-'))));
afterEach(() => rmSync(directory, { recursive: true }));

it.each(['option', 'variable'])('a port that is taken is refused before the build: by %s', async (how) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const options = ['--data-dir', directory];
  const started =
    how === 'option' ? check([...options, '--public-port', port], {}) : check(options, { PORT: port });
  await expect(started).rejects.toThrow(`Port ${port} is in use. Choose another one with --public-port.`);
  server.close();
});

it('what can start is not refused', async () => {
  await check(['--data-dir', directory], {});
  await check(['--help'], {});
});
