import { paymentEventsPath } from '../paths/page-paths.js';
import { busy, invalidRequest, networkOf } from '#http';
import { type FastifyRequest, type RouteOptions } from 'fastify';
import { NetworkSlots } from '../network-slots.js';
import { limits } from '../limits.js';
import { takePaymentEvent } from '#contracts';
import { ServiceClient } from '#transport';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

const signatureHeader = 'stripe-signature';

const unsigned = invalidRequest({
  [signatureHeader]: ['the header is missing: only Stripe events are accepted'],
});

/**
 * A hook `onRoute`: lets the bodies of payment events be larger than those of other requests. Before a body is received it refuses
 * those without a signature, and those beyond a bound, which Stripe sends again.
 */
export function receivePaymentEvents(): (route: RouteOptions) => void {
  const held = new NetworkSlots(limits.paymentEvents, limits.paymentEventsOfNetwork);
  return (route) => {
    if (route.url !== paymentEventsPath) return;
    route.bodyLimit = limits.paymentEvent;
    route.onRequest = ({ headers, ip }, reply, done) => {
      if (headers[signatureHeader] === undefined) return done(unsigned);
      done(held.tryHold(networkOf(ip), reply.raw) ? undefined : busy);
    };
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
  @RouteConfig({ rateLimit: false })
  async take(@Req() request: FastifyRequest): Promise<{ received: true }> {
    const event = { signature: String(request.headers[signatureHeader]), body: textOf(request.body) };
    await this.services.request(takePaymentEvent, event, request.messageContext);
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
