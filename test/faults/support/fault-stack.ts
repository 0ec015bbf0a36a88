import { once, EventEmitter } from 'node:events';
import { type ProcessName, type ServiceName, type Stack, startStack } from '#dev';
import { Link } from './link.js';
import { signalTree } from './process-tree.js';

export const processNames: readonly ProcessName[] = ['gateway', 'catalog', 'billing', 'redis', 'postgres'];

/** Short enough that a run meets every limit many times, and in the order that the services demand of them. */
export const limits = { requestDeadlineMs: 2_500, pendingTimeoutMs: 3_000, sweepPeriodMs: 500 } as const;

/** A stack whose processes can be killed and paused, with a link between every service and each of its servers. */
export class FaultStack {
  private constructor(
    private readonly stack: Stack,
    readonly links: ReadonlyMap<string, Link>,
    private readonly events: EventEmitter,
  ) {}

  static async start(replicas: number): Promise<FaultStack> {
    const links = new Map<string, Link>();
    const events = new EventEmitter();
    const through = async (name: string, url: string): Promise<string> => {
      const link = await new Link(url).listen();
      links.set(name, link);
      return link.url;
    };
    const stack = await startStack({
      replicas: { gateway: replicas, website: 0, catalog: replicas, billing: replicas },
      environment: {
        LOG_LEVEL: 'warn',
        REQUEST_DEADLINE_MS: String(limits.requestDeadlineMs),
      },
      environmentOf: async (service, servers) => ({
        SERVICE_REDIS_URL: await through(`${service}-redis`, servers.redis),
        ...(await databaseOf(service, servers.databases, through)),
      }),
      onChange: () => events.emit('change'),
    });
    return new FaultStack(stack, links, events);
  }

  get publicUrl(): string {
    return this.stack.publicUrl;
  }

  get adminUrl(): string {
    return this.stack.adminUrl;
  }

  get adminToken(): string {
    return this.stack.adminToken;
  }

  /** Kills the process and resolves when another has taken its place. */
  async kill(name: ProcessName, index: number): Promise<void> {
    const replica = this.stack.replica(name, index);
    const { pid } = replica;
    replica.kill('SIGKILL');
    while (replica.pid === pid) await once(this.events, 'change');
  }

  /** The process, its children included, is paused for so long. */
  async pause(name: ProcessName, index: number, work: () => Promise<void>): Promise<void> {
    const { pid } = this.stack.replica(name, index);
    signalTree(pid, 'SIGSTOP');
    await work();
    signalTree(pid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    for (const link of this.links.values()) link.close();
  }
}

async function databaseOf(
  service: ServiceName,
  databases: Readonly<Record<'catalog' | 'billing', string>>,
  through: (name: string, url: string) => Promise<string>,
): Promise<Record<string, string>> {
  if (service === 'gateway' || service === 'website') return {};
  const url = await through(`${service}-postgres`, databases[service]);
  if (service === 'catalog') return { CATALOG_DATABASE_URL: url };
  return {
    BILLING_DATABASE_URL: url,
    PENDING_TIMEOUT_MS: String(limits.pendingTimeoutMs),
    SWEEP_PERIOD_MS: String(limits.sweepPeriodMs),
  };
}
