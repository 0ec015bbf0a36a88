import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { runOrThrow } from '#dev';
import { createLogger } from '#platform';
import { eventually } from '#testing';
import { followCertificate, readCertificate } from './listening.js';

it('a certificate that is replaced is served to new connections, without a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [TLS_CERT_FILE, TLS_KEY_FILE] = ['server.crt', 'server.key'].map((name) => join(directory, name));
  const files = { TLS_CERT_FILE: TLS_CERT_FILE ?? '', TLS_KEY_FILE: TLS_KEY_FILE ?? '' };
  const issue = async (name: string): Promise<void> => {
    const next = { cert: join(directory, 'next.crt'), key: join(directory, 'next.key') };
    await runOrThrow('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`],
      ...['-keyout', next.key, '-out', next.cert],
    ]);
    renameSync(next.key, files.TLS_KEY_FILE);
    renameSync(next.cert, files.TLS_CERT_FILE);
  };
  await issue('first');
  const server = createServer(readCertificate(files) ?? {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  followCertificate(server, files, createLogger({ service: 'test', level: 'silent', pretty: false }));
  const served = async (): Promise<string | undefined> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { CN } = socket.getPeerCertificate().subject;
    socket.destroy();
    return String(CN);
  };
  expect(await served()).toBe('first');
  await issue('second');
  await eventually(async () => expect(await served()).toBe('second'), 15_000);
  server.close();
  rmSync(directory, { recursive: true });
}, 30_000);
