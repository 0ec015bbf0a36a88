import { type Stack } from '#dev';
import { eventually, Metrics } from '#testing';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { type Reply } from '../../support/http.js';

type Service = 'billing' | 'catalog';

const stopsReadingWithinMs = 5_000;
const settlesWithinMs = 20_000;
/** Requests and settlements of the gateway, requests of the website: each replica waits for all. */
const readersOfReplica = 3;

interface Stalled<Body> {
  /** Of the request that is not answered yet. */
  readonly reply: Promise<Reply<Body>>;
  /** Lets the replica go on; resolves when it has done with the request. */
  readonly resume: () => Promise<void>;
}

interface Held {
  readonly release: () => Promise<void>;
  /** Resolves once a session of the service has waited for so long. */
  readonly waitedFor: (ms: number) => Promise<void>;
}

/** Makes changes stall in a stack with two replicas of a service, and waits until they are over. */
export class Stalls {
  private readonly redis: Redis;

  constructor(private readonly stack: Stack) {
    this.redis = new Redis(stack.redisUrl);
  }

  /**
   * Sends a request that the first replica of the service takes while it is paused, so that it is not answered; the second one is
   * there for what comes after. The first goes on with `resume`.
   */
  async takenByPaused<Body>(service: Service, send: () => Promise<Reply<Body>>): Promise<Stalled<Body>> {
    const [paused, other] = [this.stack.replica(service, 0), this.stack.replica(service, 1)];
    const readers = await this.allReaders();
    other.kill('SIGSTOP');
    await this.someoneStoppedReading(readers);
    const handled = await this.handled(service);
    for (;;) {
      paused.kill('SIGSTOP');
      const pushes = await this.pushes();
      const reply = send();
      if (await this.wasTaken(service, pushes)) {
        other.kill('SIGCONT');
        return { reply, resume: () => this.resume(service, handled) };
      }
      // It stopped between two reads.
      paused.kill('SIGCONT');
      await reply;
    }
  }

  /** Resolves once no session of the service is in a transaction and no message waits for it. */
  async quiet(service: Service): Promise<void> {
    const busy = `SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND state <> 'idle'`;
    await this.inDatabase(service, (client) =>
      eventually(async () => {
        expect(await this.redis.llen(`rpc:{${service}}:gateway:requests`)).toBe(0);
        expect((await client.query(busy, [service])).rows).toEqual([]);
      }, settlesWithinMs),
    );
  }

  /** Runs `work` while a session of the service's database holds what `lock` locks; `release` gives it up before the end. */
  async whileLocked(service: Service, lock: string, work: (held: Held) => Promise<void>): Promise<void> {
    await this.inDatabase(service, async (client) => {
      await client.query('BEGIN');
      await client.query(lock);
      const release = async (): Promise<void> => void (await client.query('ROLLBACK'));
      await work({ release, waitedFor: (ms) => this.someoneWaited(service, ms) });
      await release();
    });
  }

  async inDatabase<Result>(service: Service, work: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: this.stack.databaseUrls[service] });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Lets everything go on that a test which failed has left paused. */
  resumeAll(): void {
    for (const service of ['billing', 'catalog'] as const) {
      for (const index of this.stack.internalUrls[service].keys()) {
        this.stack.replica(service, index).kill('SIGCONT');
      }
    }
  }

  close(): void {
    this.redis.disconnect();
  }

  /** Resolves once a session of the service has waited for a lock for so long. */
  private someoneWaited(service: Service, ms: number): Promise<void> {
    const waiting = `SELECT pid FROM pg_stat_activity
      WHERE application_name = $1 AND wait_event_type = 'Lock'
        AND query_start < clock_timestamp() - $2 * interval '1 millisecond'`;
    return this.inDatabase(service, (client) =>
      eventually(async () => {
        expect((await client.query(waiting, [service, ms])).rows).not.toEqual([]);
      }, settlesWithinMs),
    );
  }

  /** Whether the next message that is sent goes straight to a reader. */
  private async wasTaken(service: Service, pushesBefore: number): Promise<boolean> {
    await eventually(async () => expect(await this.pushes()).toBeGreaterThan(pushesBefore), settlesWithinMs);
    return (await this.redis.llen(`rpc:{${service}}:gateway:requests`)) === 0;
  }

  private async resume(service: Service, handledBefore: number): Promise<void> {
    this.stack.replica(service, 0).kill('SIGCONT');
    await eventually(async () => {
      expect(await this.handled(service)).toBeGreaterThan(handledBefore);
    }, settlesWithinMs);
    await this.quiet(service);
  }

  /** Messages that the first replica has run or dropped. */
  private async handled(service: Service): Promise<number> {
    const [internalUrl = ''] = this.stack.internalUrls[service];
    const metrics = await Metrics.of(internalUrl);
    return metrics.sum('message_handle_duration_seconds_count') + metrics.sum('messages_late_total');
  }

  /** Messages that have been sent. */
  private async pushes(): Promise<number> {
    const found = /cmdstat_lpush:calls=(\d+)/.exec(await this.redis.info('commandstats'));
    return Number(found?.[1] ?? 0);
  }

  /** The connections that all replicas wait for messages with. */
  private async allReaders(): Promise<ReadonlySet<string>> {
    const { billing, catalog } = this.stack.internalUrls;
    const expected = readersOfReplica * (billing.length + catalog.length);
    const readers = new Set<string>();
    await eventually(async () => {
      for (const id of await this.blocked()) readers.add(id);
      expect(readers.size).toBe(expected);
    }, stopsReadingWithinMs);
    return readers;
  }

  /** Resolves once the readers of one replica have ended their last read and begin no other. */
  private async someoneStoppedReading(readers: ReadonlySet<string>): Promise<void> {
    let restingBefore = '';
    await eventually(async () => {
      const blocked = new Set(await this.blocked());
      const resting = [...readers].filter((id) => !blocked.has(id));
      const isSame = resting.join() === restingBefore;
      restingBefore = resting.join();
      expect([resting.length, isSame]).toEqual([readersOfReplica, true]);
    }, stopsReadingWithinMs);
  }

  /** Ids of the connections that wait for a message just now. */
  private async blocked(): Promise<string[]> {
    const clients = String(await this.redis.client('LIST')).split('\n');
    return clients
      .filter((line) => line.includes(' flags=b'))
      .map((line) => /^id=(\d+)/.exec(line)?.[1] ?? '');
  }
}
