import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { type IncomingMessage, type Server } from 'node:http';
import { Server as SecureServer } from 'node:https';
import { compile } from '@fastify/proxy-addr';
import { requestIdPattern } from '#contracts';
import { isLoopback, type Logger } from '#platform';
import { type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';

/** Longer than the usual 60 s of load balancers, so that a process closes no connection on which one is sending a request. */
export const keepAliveMs = 72_000;

/** The caller's `x-request-id` when valid, else a generated one. Only a label, neither unique nor trusted. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : uuidv7();
}

/** Whether the address that is `hop` steps away from the process, counted from 0, is a proxy that is believed. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** `X-Forwarded-For` is trusted from a number of proxies in front, or from the named ones. */
export function proxyTrust(proxies: number | string[] | false): ProxyTrust {
  if (proxies === false) return () => false;
  return typeof proxies === 'number' ? (_, hop) => hop < proxies : compile(proxies);
}

/** The settings with the certificate of a port and its key; without them it serves plain HTTP. */
export interface TlsFiles {
  readonly TLS_CERT_FILE?: string;
  readonly TLS_KEY_FILE?: string;
}

/** By asking, because a mounted secret is a link to a directory that is exchanged. */
const certificatePollMs = 2_000;

/** The certificate and its key, validated by the configuration; `null` when a port serves plain HTTP behind a proxy. */
export function readCertificate({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key }: TlsFiles) {
  if (cert === undefined || key === undefined) return null;
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

/**
 * Serves new connections with the new certificate when the files change, in place or by another one that is renamed over them; keeps
 * the one before until both files match.
 */
export function followCertificate(
  server: Server,
  files: TlsFiles,
  logger: Pick<Logger, 'info' | 'warn'>,
): void {
  if (!(server instanceof SecureServer)) return;
  const renew = (): void => {
    try {
      const certificate = readCertificate(files);
      if (certificate) server.setSecureContext(certificate);
      logger.info('the certificate was read again');
    } catch (error) {
      logger.warn({ err: error }, 'TLS_CERT_FILE and TLS_KEY_FILE have changed and cannot be used');
    }
  };
  for (const file of [files.TLS_CERT_FILE, files.TLS_KEY_FILE]) {
    if (file === undefined) continue;
    watchFile(file, { interval: certificatePollMs, persistent: false }, renew);
    server.once('close', () => unwatchFile(file, renew));
  }
}

/** Whether a request changes nothing, so that it can be repeated or redirected. */
export function isReadOnly({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The origin of a port that says nothing else: where it listens. */
export function ownOrigin(host: string, port: number, { TLS_CERT_FILE }: TlsFiles): string {
  const scheme = TLS_CERT_FILE === undefined ? 'http' : 'https';
  return new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`).origin;
}

/** Warns of settings that customers miss, in production, where others than this machine reach the process: by default of origins. */
export function warnOfUnset(
  logger: Pick<Logger, 'warn'>,
  { NODE_ENV }: { readonly NODE_ENV?: string },
  host: string,
  settings: Readonly<Record<string, string | undefined>>,
  consequence = 'links for customers are missing or name this host',
): void {
  const missing = Object.keys(settings).filter((name) => settings[name] === undefined);
  if (NODE_ENV !== 'production' || isLoopback(host) || missing.length === 0) return;
  logger.warn({ missing }, `${consequence}: set these variables`);
}

/** systemd's convention: inherited sockets begin at descriptor 3. */
const firstInherited = 3;

/** An inherited socket where the parent process passed as many, else host and port. `position`: of the port among those of its process. */
export function listenAddress(
  host: string,
  port: number,
  position: number,
  inherited: number,
): { host: string; port: number } | { host: string; fd: number } {
  return position < inherited ? { host, fd: firstInherited + position } : { host, port };
}
