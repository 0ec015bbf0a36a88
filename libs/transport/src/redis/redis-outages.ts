import { type EventEmitter } from 'node:events';
import { type Logger, messageOf, type RedisAddress } from '#platform';

/** The outage of one server, shared by the connections of a process. */
class RedisOutage {
  private readonly away = new Set<EventEmitter>();
  private since = 0;

  constructor(
    private readonly address: string,
    private readonly logger: Logger,
  ) {}

  begin(connection: EventEmitter, reason: string): void {
    if (this.away.size === 0) {
      this.since = performance.now();
      this.logger.warn({ address: this.address, reason }, 'redis is away');
    }
    this.away.add(connection);
  }

  end(connection: EventEmitter): void {
    if (!this.away.delete(connection) || this.away.size > 0) return;
    const seconds = Math.round((performance.now() - this.since) / 1_000);
    this.logger.info({ address: this.address, seconds }, 'redis is back');
  }

  /** A connection closed on purpose is not an outage. */
  forget(connection: EventEmitter): void {
    this.away.delete(connection);
  }
}

const outages = new WeakMap<Logger, Map<string, RedisOutage>>();
const reasons = new WeakMap<EventEmitter, string>();

/**
 * Logs an outage of Redis once, with its address and the reason, and its end once, however many connections the process
 * has.
 */
export function logOutages(connection: EventEmitter, { hosts, tls }: RedisAddress, logger: Logger): void {
  const outage = outageOf(hosts.map(({ host, port }) => `${host}:${port}`).join(','), logger);
  for (const event of ['error', 'node error']) {
    connection.on(event, (error: Error) => recordReason(connection, reasonOf(error, tls)));
  }
  connection.on('reconnecting', () => outage.begin(connection, lastReason(connection)));
  connection.on('ready', () => {
    reasons.delete(connection);
    outage.end(connection);
  });
  connection.on('end', () => outage.forget(connection));
}

/** A server without TLS waits for the end of what it takes for a command. */
function reasonOf(error: Error, tls: boolean): string {
  const isHandshake = tls && /ETIMEDOUT|wrong version number/.test(error.message);
  return messageOf(error) + (isHandshake ? ': no answer over TLS, which rediss in its URL asks for' : '');
}

/** The reason of a lost connection that carries none itself. */
export function recordReason(connection: EventEmitter, reason: string): void {
  reasons.set(connection, reason);
}

export function lastReason(connection: EventEmitter): string {
  return reasons.get(connection) ?? 'the connection was closed';
}

function outageOf(address: string, logger: Logger): RedisOutage {
  const known = outages.get(logger) ?? new Map<string, RedisOutage>();
  outages.set(logger, known);
  const outage = known.get(address) ?? new RedisOutage(address, logger);
  known.set(address, outage);
  return outage;
}
