import { CONFIG, LOGGER, type Logger } from '@app/platform';
import { ServiceError } from '@app/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { publicOrigin, type PublicOriginConfig } from '../../http/server/public-origin.js';

/** Names of this machine that people use for one another. */
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];
const loggedLengthMax = 200;

/** Refuses forms that were not sent by a page of this origin. */
@Injectable()
export class SameOrigin {
  private readonly origin: string;
  private readonly origins: ReadonlySet<string>;

  constructor(
    @Inject(CONFIG) config: PublicOriginConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.origin = publicOrigin(config);
    this.origins = originsOf(this.origin);
  }

  isFromHere(request: FastifyRequest): boolean {
    return this.origins.has(originOf(request));
  }

  /**
   * Throws `forbidden`, and logs both origins: a service that is reached at another one than `PUBLIC_URL` says refuses every
   * form.
   */
  assert(request: FastifyRequest): void {
    if (this.isFromHere(request)) return;
    this.logger.warn(
      {
        request_id: request.id,
        origin: originOf(request).slice(0, loggedLengthMax),
        expected_origin: this.origin,
      },
      'form refused: it was sent from another origin than PUBLIC_URL',
    );
    throw new ServiceError(
      'forbidden',
      `This form was sent from another site. Nothing was changed. Open ${this.origin} and try again there.`,
    );
  }
}

/** By `Origin`, or by `Referer` where a browser sends none; empty without either. */
function originOf({ headers }: FastifyRequest): string {
  const { origin, referer } = headers;
  return origin ?? (referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : '');
}

function originsOf(origin: string): Set<string> {
  const { protocol, hostname, port } = new URL(origin);
  if (!loopbackHosts.includes(hostname)) return new Set([origin]);
  return new Set(loopbackHosts.map((host) => new URL(`${protocol}//${host}${port && `:${port}`}`).origin));
}
