import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { createLogger } from '#platform';
import { eventually, makeCertificate } from '#testing';
import { followCertificate, readCertificate } from './listening.js';

it('a certificate that is replaced is served to new connections, without a restart', async () => {
  const [first, second] = [await makeCertificate(), await makeCertificate()];
  const files = { TLS_CERT_FILE: first.certificateFile, TLS_KEY_FILE: first.keyFile };
  const server = createServer(readCertificate(files) ?? {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  followCertificate(server, files, createLogger({ service: 'test', level: 'silent', pretty: false }));
  const served = async (): Promise<string> => {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  const before = await served();
  copyFileSync(second.keyFile, first.keyFile);
  copyFileSync(second.certificateFile, first.certificateFile);
  await eventually(async () => expect(await served()).not.toBe(before), 15_000);
  server.close();
  for (const certificate of [first, second]) certificate.remove();
}, 30_000);
