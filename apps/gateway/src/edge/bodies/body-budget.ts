import { counter, gauge } from '#platform';
import { Injectable } from '@nestjs/common';
import { limits, networkTimes } from '../../limits.js';

const bytesMax = limits.bodyMemory;
const networkBytesMax = networkTimes.map((times) => limits.bodyMemoryOfNetwork * times);
/** At the bound so much is freed at once, so that the networks are not compared for each piece. */
const roomyBytes = bytesMax - 2 * 1_048_576;
/** A network that gives way keeps this share of what it has. */
const keptShare = 0.75;

const cut = counter(
  'http_bodies_cut_total',
  'Requests whose connection was ended because the bodies that were still arriving took too much memory.',
);

/** A network with bodies here. */
interface Network {
  bytes: number;
  /** Bodies that have not arrived whole, the oldest first. */
  readonly arriving: Set<Body>;
}

/** The body of one request, from its first byte until the request ends. */
export class Body {
  /** Memory that it takes. */
  bytes = 0;

  constructor(
    private readonly budget: BodyBudget,
    /** The smallest first. */
    readonly networks: readonly string[],
    /** Ends its connection. */
    readonly hangUp: () => void,
  ) {}

  /** Counts further bytes; `false` when there is no room for them. */
  add(bytes: number): boolean {
    return this.budget.grow(this, bytes);
  }

  /** Marks the body as complete: it does not give way any longer, and counts until it is released. */
  complete(): void {
    this.budget.settle(this);
  }

  release(): void {
    this.budget.release(this);
  }
}

/**
 * Bounds the memory of all bodies that are here, most of which may belong to clients that never send the last byte. What
 * has arrived counts, not what was announced, which costs its client nothing. At a bound the bodies that have been arriving
 * for longest give way, those of the network that has most first: a client that sends its body at once is never kept out by
 * clients that don't.
 */
@Injectable()
export class BodyBudget {
  private total = 0;
  private readonly networks = new Map<string, Network>();

  constructor() {
    gauge('http_body_bytes', 'Memory of the bodies of requests in progress.', () => this.total);
  }

  get bytes(): number {
    return this.total;
  }

  /** A body that is about to arrive; to be released when its request ends. */
  begin(networks: readonly string[], hangUp: () => void): Body {
    const body = new Body(this, networks, hangUp);
    for (const name of networks) {
      const network = this.networks.get(name) ?? { bytes: 0, arriving: new Set() };
      network.arriving.add(body);
      this.networks.set(name, network);
    }
    return body;
  }

  grow(body: Body, bytes: number): boolean {
    const networks = this.networksOf(body);
    body.bytes += bytes;
    this.total += bytes;
    for (const network of networks) network.bytes += bytes;
    networks.forEach((network, level) => this.shrink(network, networkBytesMax[level] ?? bytesMax, body));
    if (this.total > bytesMax) this.makeRoom(body);
    const isWithin = networks.every(({ bytes: held }, level) => held <= (networkBytesMax[level] ?? bytesMax));
    return isWithin && this.total <= bytesMax;
  }

  settle(body: Body): void {
    for (const network of this.networksOf(body)) network.arriving.delete(body);
  }

  release(body: Body): void {
    this.settle(body);
    this.total -= body.bytes;
    for (const name of body.networks) {
      const network = this.networks.get(name);
      if (!network) continue;
      network.bytes -= body.bytes;
      if (network.bytes === 0 && network.arriving.size === 0) this.networks.delete(name);
    }
    body.bytes = 0;
  }

  /** Ends the oldest unfinished bodies of a network until it holds no more than this; `growing` is refused, not ended. */
  private shrink(network: Network, max: number, growing: Body): void {
    for (const body of network.arriving) {
      if (network.bytes <= max) return;
      if (body === growing) continue;
      cut.inc();
      this.release(body);
      body.hangUp();
    }
  }

  private makeRoom(growing: Body): void {
    const largestFirst = [...this.networks.values()].sort((one, other) => other.bytes - one.bytes);
    for (const network of largestFirst) {
      if (this.total <= roomyBytes) return;
      this.shrink(network, network.bytes * keptShare, growing);
    }
  }

  private networksOf(body: Body): Network[] {
    return body.networks.flatMap((name) => this.networks.get(name) ?? []);
  }
}
