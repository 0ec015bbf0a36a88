import { type FastifyRequest, type RouteOptions } from 'fastify';
import { invalidRequest } from '../requests/read-request.js';
import { limits } from '../limits.js';
import { takePaymentEvent } from '#contracts';
import { ServiceClient } from '#transport';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

/** Where Stripe sends its webhooks. */
export const paymentEventsPath = '/webhooks/stripe';

const signatureHeader = 'stripe-signature';

const unsigned = invalidRequest({
  [signatureHeader]: ['the header is missing: only Stripe events are accepted'],
});

/**
 * `onRoute`: lets the bodies of payment events be larger than those of other requests, and refuses those without a
 * signature, which is decided before a body is received. How many are taken at once is bounded as for every stranger: by the
 * memory of the bodies (`BodyBudget`), by the tokens of their network and by slots (`Admission`), for which they wait.
 */
export function receivePaymentEvents(route: RouteOptions): void {
  if (route.url !== paymentEventsPath) return;
  route.bodyLimit = limits.paymentEvent;
  route.onRequest = ({ headers }, _reply, done) => {
    done(headers[signatureHeader] === undefined ? unsigned : undefined);
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * `POST /webhooks/stripe`: 200 once the event is stored; with any other answer Stripe sends it again. The signature covers the
 * body as it came, so it is passed on unread.
 */
@Controller(paymentEventsPath)
export class PaymentEventsController {
  constructor(private readonly services: ServiceClient) {}

  @Post()
  @HttpCode(200)
  @RouteConfig({ worksWithoutKey: true })
  async take(@Req() request: FastifyRequest): Promise<{ received: true }> {
    const event = { signature: String(request.headers[signatureHeader]), body: textOf(request.body) };
    await this.services.request(takePaymentEvent, event, request.call);
    return { received: true };
  }
}

function textOf(body: unknown): string {
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalidRequest({ body: ['the body is empty'] });
  try {
    return utf8.decode(body);
  } catch {
    throw invalidRequest({ body: ['the body must be UTF-8'] });
  }
}
