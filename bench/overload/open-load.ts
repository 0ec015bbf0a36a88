import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type Connector } from './connector.js';
import { type HttpConnection } from './http-connection.js';
import { type BurstLoad, type OpenLoad } from './load.js';
import { type Tally } from './tally.js';

const tickMs = 2;
/** What could not be sent in time because the machine was busy is sent in pieces, so that answers are read meanwhile. */
const callsPerTickMost = 200;
const connectionsMost = 6_000;

/** Connections that wait for a call; more are made as they are needed. */
class IdleConnections {
  private readonly idle: HttpConnection[] = [];
  private made = 0;

  constructor(private readonly connector: Connector) {}

  take(): HttpConnection | undefined {
    const connection = this.idle.pop();
    if (connection || this.made === connectionsMost) return connection;
    this.made += 1;
    return this.connector.connection();
  }

  giveBack(connection: HttpConnection): void {
    this.idle.push(connection);
  }
}

/** Sends calls in time, however late the answers are. Resolves with how many could not be sent, when the others have ended. */
export async function playOpenLoad(
  load: OpenLoad,
  connector: Connector,
  tally: Tally,
  until: number,
): Promise<number> {
  const startedAt = performance.now();
  const requests = connector.requests(load.keys, [load.path]);
  const connections = new IdleConnections(connector);
  let due = 0;
  let unsent = 0;
  let underWay = 0;
  const call = (): void => {
    const connection = connections.take();
    if (!connection) {
      unsent += 1;
      return;
    }
    underWay += 1;
    const sentAt = performance.now();
    connection.send(requests(due), (outcome) => {
      underWay -= 1;
      connections.giveBack(connection);
      tally.ended(outcome, sentAt);
    });
  };
  while (performance.now() < until) {
    const owed = Math.floor(((performance.now() - startedAt) * load.perSecond) / 1_000);
    for (const end = Math.min(owed, due + callsPerTickMost); due < end; due++) call();
    await delay(tickMs);
  }
  while (underWay > 0) await delay(tickMs);
  return unsent;
}

/** Sends all calls in one turn of the event loop; resolves when each has ended. */
export async function playBurst(load: BurstLoad, connector: Connector, tally: Tally): Promise<void> {
  const requests = connector.requests(load.keys, [load.path]);
  const calls = Array.from({ length: load.calls }, (_, number) => {
    const connection = connector.connection();
    return new Promise<void>((resolve) => {
      const sentAt = performance.now();
      connection.send(requests(number), (outcome) => {
        tally.ended(outcome, sentAt);
        resolve();
      });
    });
  });
  await Promise.all(calls);
}
