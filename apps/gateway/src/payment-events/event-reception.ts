import { type ServiceError } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Exchange } from '../connections/exchange.js';
import { exchangeOf } from '../connections/exchange-of-request.js';
import { busy } from '../errors/refused.error.js';
import { invalidRequest } from '../http/requests/invalid-request.js';
import { networksOf } from '../network/network-of.js';
import { eventBytesMax, paymentEventsPath, signatureHeader } from './payment-events-path.js';

/** Whoever sends one can have a body of 1 MiB kept here: so many at once. */
const underWayMax = 32;
/** So many of them from an IPv4 address or a /64, a /56, a /48. */
const ofNetworkMax = [8, 12, 16] as const;

/** Bounds the payment events that are received and worked on at once: what is refused is sent again by Stripe. */
@Injectable()
export class EventReception {
  private underWay = 0;
  private readonly ofNetworks = new Map<string, number>();

  /** Counts an event until its exchange ends; `false` at a limit. */
  begin(address: string, exchange: Exchange): boolean {
    const networks = networksOf(address);
    const isFull = networks.some(
      (network, level) => this.of(network) >= (ofNetworkMax[level] ?? underWayMax),
    );
    if (this.underWay >= underWayMax || isFull) return false;
    this.underWay += 1;
    for (const network of networks) this.ofNetworks.set(network, this.of(network) + 1);
    exchange.onEnd(() => this.end(networks));
    return true;
  }

  private end(networks: readonly string[]): void {
    this.underWay -= 1;
    for (const network of networks) {
      const left = this.of(network) - 1;
      if (left > 0) this.ofNetworks.set(network, left);
      else this.ofNetworks.delete(network);
    }
  }

  private of(network: string): number {
    return this.ofNetworks.get(network) ?? 0;
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
  return reception.begin(request.ip, exchangeOf(request)) ? undefined : busy;
}
