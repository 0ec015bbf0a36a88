import { isReadOnly } from '#http';
import { ServiceError } from '#contracts';
import { isLoopback, LOGGER, type Logger, loopbackHosts } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { SITE_ORIGIN } from '../config/origins.js';
import { FormFields } from '../view/form-fields.js';

const loggedLengthMax = 200;

/** Accepts a form only from a browser that one of our pages gave it to: by its origin and its token. */
@Injectable()
export class FormCheck {
  private readonly origins: ReadonlySet<string>;

  constructor(
    @Inject(SITE_ORIGIN) private readonly origin: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.origins = originsOf(this.origin);
  }

  /**
   * Before anything is looked up for a form. Throws `forbidden`, and logs both origins: a service that is reached at another
   * one than `SITE_URL` says refuses every form.
   */
  assertOrigin(request: FastifyRequest): void {
    const origin = originOf(request);
    if (isReadOnly(request) || this.origins.has(origin)) return;
    this.logger.warn(
      {
        request_id: request.id,
        origin: origin.slice(0, loggedLengthMax),
        expected_origin: this.origin,
      },
      'form refused: it was sent from another origin than SITE_URL',
    );
    throw new ServiceError(
      'forbidden',
      `This form was sent from another site. Nothing was changed. Open ${this.origin} and try again there.`,
    );
  }

  /** Throws `forbidden` for a form without the token that pages with this cookie have. */
  assertToken(request: FastifyRequest, token: string): void {
    if (isReadOnly(request)) return;
    if (FormFields.of(request).hasToken(token)) return;
    throw new ServiceError(
      'forbidden',
      'This form has expired. Nothing was changed: go back, reload the page and send it again.',
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
  if (!isLoopback(hostname)) return new Set([origin]);
  return new Set(loopbackHosts.map((host) => new URL(`${protocol}//${host}${port && `:${port}`}`).origin));
}
