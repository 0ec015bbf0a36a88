import { takePaymentEvent } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type FastifyRequest } from 'fastify';
import { invalidRequest } from '../requests/invalid-request.js';
import { doWork } from '../requests/work.js';
import { paymentEventsPath, signatureHeader } from './receive-payment-events.js';

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
    // Passing a large body on takes a while, and anyone may send one.
    await doWork(request, () => this.pass(request));
    return { received: true };
  }

  private pass(request: FastifyRequest): Promise<unknown> {
    const event = { signature: String(request.headers[signatureHeader]), body: textOf(request.body) };
    return this.services.request(takePaymentEvent, event, request.call);
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
