import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { message } from '@app/contracts';
import { createLogger } from '@app/platform';
import { startRedis, type RedisServer as RedisInstance } from '@app/testing';
import { ServiceClient, type ServiceClientOptions } from './service-client.js';
import { Work } from './test-payloads.fixture.js';

export const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
export const context = { requestId: 'request-1' };

type WorkDone = { readonly n: number; readonly pid: number };

/** Answers after `ms`; the replica says when it starts. */
export const work = message<Work, WorkDone>('catalog', 'work', Work);
export const workWithoutResend = message<Work, WorkDone>('catalog', 'work', Work, { resendAfterMs: null });
export const settleWork = message<Work, number>('catalog', 'settle', Work, { queue: 'settlements' });

/** A replica in a process of its own, so that it can be killed as a machine dies. */
export class ReplicaProcess {
  private startedRequests = 0;
  private wake?: () => void;

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (said: object) => {
      if ('started' in said) this.startedRequests += 1;
      this.wake?.();
    });
  }

  static async start(redis: RedisInstance, clockSkewMs = 0): Promise<ReplicaProcess> {
    const options = JSON.stringify({ variant: 'lists', port: redis.port, clockSkewMs });
    const child = fork(resolve('dist/bench/bench/transport-replica.js'), [options]);
    const ended = once(child, 'exit').then(() =>
      Promise.reject(new Error('the replica ended before it was ready')),
    );
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return new ReplicaProcess(child);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Resolves when `count` requests have started to run here. */
  async started(count: number): Promise<void> {
    while (this.startedRequests < count) await new Promise<void>((resolve) => (this.wake = resolve));
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill(signal);
    await exited;
  }
}

/** A Redis of the test's own with one client, and replicas that are gone when it is. */
export class TransportFixture {
  private readonly replicas: ReplicaProcess[] = [];
  private readonly clients: ServiceClient[] = [];

  private constructor(readonly redis: RedisInstance) {}

  static async start(): Promise<TransportFixture> {
    return new TransportFixture(await startRedis());
  }

  async replica(clockSkewMs = 0): Promise<ReplicaProcess> {
    const replica = await ReplicaProcess.start(this.redis, clockSkewMs);
    this.replicas.push(replica);
    return replica;
  }

  async client(options: Partial<ServiceClientOptions> = {}): Promise<ServiceClient> {
    const client = new ServiceClient({ redisUrl: this.redis.url, logger, ...options });
    await client.connect();
    this.clients.push(client);
    return client;
  }

  /** Ends replicas and clients; Redis begins again, empty. */
  async reset(): Promise<void> {
    await Promise.all(this.replicas.splice(0).map((replica) => replica.end('SIGKILL')));
    await Promise.all(this.clients.splice(0).map((client) => client.close()));
    await this.redis.restart();
  }

  async stop(): Promise<void> {
    await this.reset();
    await this.redis.stop();
  }
}
