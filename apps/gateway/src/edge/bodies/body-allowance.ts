import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { isPageRoute } from '../../account-pages/paths/page-paths.js';
import { Cookies, isToken } from '../../account-pages/sessions/cookies.js';
import { FormCheck } from '../../account-pages/sessions/form-check.js';
import { paymentEventsPath } from '../../payment-events/receive-payment-events.js';

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
    private readonly forms: FormCheck,
  ) {}

  /** The longest body that is read, in bytes; 0 when the request will be refused whatever its body is. */
  of(request: FastifyRequest): number {
    if (request.is404) return 0;
    const { url, bodyLimit, config } = request.routeOptions;
    if (isPageRoute(url)) return this.ofForm(request);
    // Stripe signs its events; those without a signature are refused on arrival.
    if (url === paymentEventsPath) return bodyLimit;
    if (request.headers.authorization === undefined) return config.worksWithoutKey ? openBytesMax : 0;
    return request.call.presentedKey.hash === undefined ? 0 : bodyLimit;
  }

  private ofForm(request: FastifyRequest): number {
    if (!this.forms.isFromHere(request)) return 0;
    return isToken(this.cookies.read(request, 'session') ?? '') ? memberFormBytesMax : visitorFormBytesMax;
  }
}
