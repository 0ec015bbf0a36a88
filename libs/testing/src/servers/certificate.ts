import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOrThrow } from '#dev';

export type Certificate = Awaited<ReturnType<typeof makeCertificate>>;

/** Files (PEM) of a certificate that vouches for itself, for `localhost`, 127.0.0.1 and these hosts. */
export async function makeCertificate(...hosts: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'tls-'));
  const [certificateFile, keyFile] = [join(directory, 'server.crt'), join(directory, 'server.key')];
  const names = ['DNS:localhost', 'IP:127.0.0.1', ...hosts.map((host) => `DNS:${host}`)];
  await runOrThrow('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
    ...['-addext', `subjectAltName=${names.join(',')}`],
    ...['-keyout', keyFile, '-out', certificateFile],
  ]);
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  return { certificateFile, keyFile, remove };
}
