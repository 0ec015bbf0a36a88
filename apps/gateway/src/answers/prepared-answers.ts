import { CONFIG } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { matchesEtag } from './etag.js';
import { type PreparedFile } from './prepared-file.js';

interface PreparedConfig {
  readonly COMPRESS_ANSWERS: string;
}

/** Sends prepared files, compressed for clients that accept it, or 304 to clients that have them already. */
@Injectable()
export class PreparedAnswers {
  private readonly compress: boolean;

  constructor(@Inject(CONFIG) { COMPRESS_ANSWERS }: PreparedConfig) {
    this.compress = COMPRESS_ANSWERS === 'true';
  }

  /** `cacheControl`: the value of `Cache-Control`. */
  async send(reply: FastifyReply, file: PreparedFile, cacheControl: string): Promise<void> {
    const { headers } = reply.request;
    void reply.headers({ etag: file.etag, 'cache-control': cacheControl });
    if (this.compress) void reply.header('vary', 'accept-encoding');
    if (matchesEtag(headers['if-none-match'], file.etag)) return void reply.code(304).send();
    const accepted = headers['accept-encoding'];
    const { encoding, bytes } = await file.encodedFor(this.compress ? accepted : undefined);
    if (encoding !== null) void reply.header('content-encoding', encoding);
    void reply.type(file.type).header('content-length', bytes.length).send(bytes);
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly isPrepared?: boolean;
  }
}

/**
 * Marks a handler that sends a `PreparedFile`: such a request needs no slot, because its answer costs no more than a
 * refusal, and is never compressed again.
 */
export function Prepared(): MethodDecorator {
  return RouteConfig({ isPrepared: true, servesHead: true });
}

export function isPrepared(request: FastifyRequest): boolean {
  return request.routeOptions.config.isPrepared === true;
}
