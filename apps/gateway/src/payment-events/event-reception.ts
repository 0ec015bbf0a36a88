import { type ServiceError } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Exchange } from '../connections/exchange.js';
import { exchangeOf } from '../connections/exchange-of-request.js';
import { busy } from '../errors/refused.error.js';
import { invalidRequest } from '../http/requests/invalid-request.js';
import { networkOf } from '../network/network-of.js';
import { eventBytesMax, paymentEventsPath, signatureHeader } from './payment-events-path.js';

/** Whoever sends one can have a body of 1 MiB kept here: so many at once, and so many of them from one network. */
const underWayMax = 32;
const ofNetworkMax = 8;

/** Bounds the payment events that are received and worked on at once: what is refused is sent again by Stripe. */
@Injectable()
export class EventReception {
  private underWay = 0;
  private readonly ofNetworks = new Map<string, number>();

  /** Counts an event until its exchange ends; `false` at a limit. */
  begin(network: string, exchange: Exchange): boolean {
    const ofNetwork = this.ofNetworks.get(network) ?? 0;
    if (this.underWay >= underWayMax || ofNetwork >= ofNetworkMax) return false;
    this.underWay += 1;
    this.ofNetworks.set(network, ofNetwork + 1);
    exchange.onEnd(() => this.end(network));
    return true;
  }

  private end(network: string): void {
    this.underWay -= 1;
    const left = (this.ofNetworks.get(network) ?? 0) - 1;
    if (left > 0) this.ofNetworks.set(network, left);
    else this.ofNetworks.delete(network);
  }
}

/**
 * Lets the bodies of payment events be larger than those of other requests, which is decided before a body is received.
 * Call before the routes are added.
 */
export function receivePaymentEvents(server: FastifyInstance, reception: EventReception): void {
  server.addHook('onRoute', (route) => {
    if (route.url !== paymentEventsPath) return;
    route.bodyLimit = eventBytesMax;
    route.onRequest = (request, _reply, done) => done(refusalOf(request, reception));
  });
}

/** Why an event is not received; otherwise its reception has begun. */
function refusalOf(request: FastifyRequest, reception: EventReception): ServiceError | undefined {
  if (request.headers[signatureHeader] === undefined) {
    return invalidRequest({ [signatureHeader]: ['the header is missing: only events of Stripe are taken'] });
  }
  return reception.begin(networkOf(request.ip), exchangeOf(request)) ? undefined : busy;
}
