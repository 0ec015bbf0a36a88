import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { runCli } from './program.js';

it('--data-dir finds the local stack of that directory, whatever the shell says', async () => {
  const tokens: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    tokens.push(headers.authorization);
    response.end('{"packs":[]}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const directory = mkdtempSync(join(tmpdir(), 'cli-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(
    join(directory, 'stack.json'),
    JSON.stringify({ admin_url: url, admin_token: 'of the stack' }),
  );
  const code = await runCli(['--data-dir', directory, 'packs'], {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    environment: { ADMIN_URL: 'http://127.0.0.1:9', ADMIN_TOKEN: 'another' },
    directory: '/',
    stackFile: '/nowhere/stack.json',
  });
  expect([code, tokens]).toEqual([0, ['Bearer of the stack']]);
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});
