import { isWellFormedApiKey } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { isPageRoute } from '../account-pages/paths/page-paths.js';
import { Cookies } from '../account-pages/sessions/cookies.js';
import { SameOrigin } from '../account-pages/sessions/same-origin.js';
import { isToken } from '../account-pages/sessions/tokens.js';
import { bearerToken } from '../authentication/bearer.js';
import { paymentEventsPath } from '../payment-events/payment-events-path.js';

/** What a client can say that has no key: of the messages for models those that call no tool. */
const openBytesMax = 8_192;
/** The longest form for visitors, the one that asks for a sign-in mail, has half of it. */
const visitorFormBytesMax = 4_096;
/** The longest form for members, the one about notices, has a fifth of it. */
const memberFormBytesMax = 16_384;

/** Decides from the head of a request how much of its body is read. */
@Injectable()
export class BodyAllowance {
  constructor(
    private readonly cookies: Cookies,
    private readonly sameOrigin: SameOrigin,
  ) {}

  /** The longest body that is read, in bytes; 0 when the request will be refused whatever its body is. */
  of(request: FastifyRequest): number {
    if (request.is404) return 0;
    const { url, bodyLimit, config } = request.routeOptions;
    if (isPageRoute(url)) return this.ofForm(request);
    // Stripe signs its events; those without a signature are refused on arrival.
    if (url === paymentEventsPath) return bodyLimit;
    const { authorization } = request.headers;
    if (authorization === undefined) return config.worksWithoutKey ? openBytesMax : 0;
    const token = bearerToken(authorization);
    return token !== undefined && isWellFormedApiKey(token) ? bodyLimit : 0;
  }

  private ofForm(request: FastifyRequest): number {
    if (!this.sameOrigin.isFromHere(request)) return 0;
    return isToken(this.cookies.read(request, 'session') ?? '') ? memberFormBytesMax : visitorFormBytesMax;
  }
}
