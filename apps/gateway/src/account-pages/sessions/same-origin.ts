import { CONFIG } from '@app/platform';
import { ServiceError } from '@app/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { publicOrigin, type PublicOriginConfig } from '../../http/server/public-origin.js';

/** Names of this machine that people use for one another. */
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

/** Refuses forms that were not sent by a page of this origin. */
@Injectable()
export class SameOrigin {
  private readonly origins: ReadonlySet<string>;

  constructor(@Inject(CONFIG) config: PublicOriginConfig) {
    this.origins = originsOf(publicOrigin(config));
  }

  /** By `Origin`, or by `Referer` where a browser sends none. Throws `forbidden`. */
  assert({ headers }: FastifyRequest): void {
    const { origin, referer } = headers;
    const from = origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : '');
    if (this.origins.has(from)) return;
    throw new ServiceError('forbidden', 'This form was sent from another site. Nothing was changed.');
  }
}

function originsOf(origin: string): Set<string> {
  const { protocol, hostname, port } = new URL(origin);
  if (!loopbackHosts.includes(hostname)) return new Set([origin]);
  return new Set(loopbackHosts.map((host) => new URL(`${protocol}//${host}${port && `:${port}`}`).origin));
}
