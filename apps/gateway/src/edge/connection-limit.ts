import { networksOf } from '#http';
import { type Server, type Socket } from 'node:net';
import { counter } from '#platform';
import { networkTimes } from '../limits.js';
import { Connection } from './connections/connection.js';

export interface ConnectionLimitOptions {
  /** Open connections, of all clients together. */
  readonly connectionsMax: number;
  /** Open connections of one address (of IPv6, of its /64; of a /56 a quarter more, of a /48 half as many more). */
  readonly perAddressMax: number;
  /** Addresses of proxies, through which many clients come: their connections are not bounded by address. */
  readonly isProxy: (address: string) => boolean;
}

interface Tracked {
  /** The TLS socket once the handshake is done. */
  socket: Socket;
  /** The smallest first. */
  readonly networks: readonly string[];
  readonly openedAt: number;
}

interface Candidate extends Tracked {
  /** Since when it is silent: opened, or answered. */
  readonly since: number;
}

const cut = counter(
  'http_connections_cut_total',
  'Connections that were ended because there were too many: idle ones to make room, or new ones when all were in use.',
  ['reason'],
);

/** The part of a limit that is freed at once, so that the candidates are not sorted for each new connection. */
const roomShare = 0.01;

/**
 * Bounds the open connections of a server. At a bound those without a request in progress give way to the new one: those of the
 * address with the most first, and of these the one that has been silent longest. (Not one that has sent nothing yet: in
 * a flood of connections that have had an answer each, that would be the customer whose request has not been read yet.) A
 * call in progress is never cut off; when nothing else is left, the new connection is.
 */
export class ConnectionLimit {
  private readonly byPeer = new Map<string, Tracked>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly options: ConnectionLimitOptions) {}

  /** Watches the connections of a server, with or without TLS. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.opened(socket));
    server.on('secureConnection', (socket: Socket) => {
      const tracked = this.byPeer.get(peerOf(socket));
      if (tracked) tracked.socket = socket;
    });
  }

  get open(): number {
    return this.byPeer.size;
  }

  private opened(socket: Socket): void {
    const { remoteAddress } = socket;
    // Gone already.
    if (remoteAddress === undefined) return void socket.destroy();
    const networks = networksOf(remoteAddress);
    if (!this.hasRoomFor(networks, remoteAddress)) {
      cut.inc({ reason: 'refused' });
      socket.destroy();
      return;
    }
    const peer = peerOf(socket);
    const tracked = { socket, networks, openedAt: performance.now() };
    this.byPeer.set(peer, tracked);
    for (const network of networks) this.counts.set(network, this.countOf(network) + 1);
    socket.once('close', () => this.closed(peer, tracked));
  }

  private closed(peer: string, tracked: Tracked): void {
    if (this.byPeer.get(peer) === tracked) this.byPeer.delete(peer);
    for (const network of tracked.networks) {
      const count = this.countOf(network) - 1;
      if (count > 0) this.counts.set(network, count);
      else this.counts.delete(network);
    }
  }

  private hasRoomFor(networks: readonly string[], address: string): boolean {
    const { connectionsMax, perAddressMax, isProxy } = this.options;
    for (const [level, network] of isProxy(address) ? [] : networks.entries()) {
      const max = perAddressMax * (networkTimes[level] ?? 1);
      const isOfNetwork = (tracked: Tracked): boolean => tracked.networks.includes(network);
      if (this.countOf(network) >= max && !this.makeRoom(max, isOfNetwork)) return false;
    }
    return this.byPeer.size < connectionsMax || this.makeRoom(connectionsMax, () => true);
  }

  /** Ends some of the connections that may give way; `false` when there is none. */
  private makeRoom(limit: number, mayGiveWay: (tracked: Tracked) => boolean): boolean {
    const room = Math.max(1, Math.floor(limit * roomShare));
    const candidates = [...this.byPeer.values()]
      .filter(mayGiveWay)
      .flatMap(candidateOf)
      .sort((one, other) => this.compare(one, other))
      .slice(0, room);
    for (const { socket } of candidates) {
      cut.inc({ reason: 'made_room' });
      socket.destroy();
    }
    return candidates.length > 0;
  }

  private compare(one: Candidate, other: Candidate): number {
    return this.countOf(largest(other)) - this.countOf(largest(one)) || one.since - other.since;
  }

  private countOf(network: string): number {
    return this.counts.get(network) ?? 0;
  }
}

/** The connection as one that may give way; none while a request of it is in progress. */
function candidateOf(tracked: Tracked): Candidate[] {
  if (tracked.socket.destroyed) return [];
  const connection = Connection.find(tracked.socket);
  const since = connection ? connection.idleSince : tracked.openedAt;
  return since === null ? [] : [{ ...tracked, since }];
}

/** The network of a client that has many, of which each has few connections. */
function largest({ networks }: Tracked): string {
  return networks.at(-1) ?? '';
}

/** Name of a client, equal for a socket and for the TLS socket that is made of it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}|${remotePort}`;
}
