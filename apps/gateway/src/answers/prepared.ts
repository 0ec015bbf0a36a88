import { createHash } from 'node:crypto';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { etagOf, matchesEtag } from './etag.js';

const hashLength = 16;

/** An answer that is the same for all clients. */
export class PreparedFile {
  readonly etag: string;
  /** Names this content, for an address that can be kept for ever. */
  readonly hash: string;

  constructor(
    /** The value of `Content-Type`. */
    readonly type: string,
    readonly bytes: Buffer,
  ) {
    this.etag = etagOf(bytes);
    this.hash = createHash('sha256').update(bytes).digest('hex').slice(0, hashLength);
  }
}

/** Sends a prepared file, or 304 to a client that has it already. `cacheControl`: the value of `Cache-Control`. */
export function sendPrepared(reply: FastifyReply, file: PreparedFile, cacheControl: string): void {
  void reply.headers({ etag: file.etag, 'cache-control': cacheControl });
  if (matchesEtag(reply.request.headers['if-none-match'], file.etag)) void reply.code(304).send();
  else void reply.type(file.type).send(file.bytes);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly isPrepared?: boolean;
  }
}

/**
 * Marks a handler that sends a `PreparedFile`: such a request needs no slot, because its answer costs no more than a
 * refusal, and its compressed form is kept.
 */
export function Prepared(): MethodDecorator {
  return RouteConfig({ isPrepared: true, servesHead: true });
}

export function isPrepared(request: FastifyRequest): boolean {
  return request.routeOptions.config.isPrepared === true;
}
