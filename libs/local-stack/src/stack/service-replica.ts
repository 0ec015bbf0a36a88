import { join, resolve } from 'node:path';
import { ServerProcess } from '../processes/server-process.js';
import { type Restartable } from '../processes/supervised.js';

export const serviceNames = ['gateway', 'catalog', 'billing'] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface ReplicaOptions {
  readonly service: ServiceName;
  readonly index: number;
  readonly internalPort: number;
  /** Default: the working directory. */
  readonly checkout?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logDirectory: string;
  readonly descriptors?: readonly number[];
}

const readyTimeoutMs = 60_000;

/** Node's options, as in the images (decision 13). */
export const serviceNodeOptions: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: ['--single-threaded-gc', '--heap-growing-percent=200'],
  catalog: ['--single-threaded-gc'],
  billing: ['--single-threaded-gc', '--heap-growing-percent=200'],
};

/** A compiled file of a service, in this checkout or in another one. */
export function serviceFile(service: ServiceName, file: string, checkout = '.'): string {
  return resolve(checkout, 'dist/apps', service, 'src', file);
}

/** One process of one service. */
export class ServiceReplica implements Restartable {
  private current: ServerProcess;
  private checkout: string | undefined;

  constructor(private readonly options: ReplicaOptions) {
    this.checkout = options.checkout;
    this.current = this.start();
  }

  get pid(): number {
    return this.current.pid;
  }

  get exited(): Promise<void> {
    return this.current.exited;
  }

  kill(signal: NodeJS.Signals): void {
    this.current.kill(signal);
  }

  stop(): Promise<void> {
    return this.current.stop();
  }

  /** What runs from its next start on. */
  runFrom(checkout: string): void {
    this.checkout = checkout;
  }

  /** Restarts it, without waiting until it is ready. */
  async restart(): Promise<void> {
    await this.current.stop();
    this.current = this.start();
  }

  /** Throws with the end of its log when it ends first. */
  waitUntilReady(): Promise<void> {
    const url = `http://127.0.0.1:${this.options.internalPort}/health/ready`;
    return this.current.waitUntilAnswered(url, readyTimeoutMs);
  }

  private start(): ServerProcess {
    const { checkout } = this;
    const { service, index, environment, logDirectory, internalPort, descriptors } = this.options;
    return new ServerProcess({
      name: `${service} ${index}`,
      command: process.execPath,
      parameters: [...serviceNodeOptions[service], serviceFile(service, 'main.js', checkout)],
      directory: checkout,
      environment: { ...environment, INTERNAL_PORT: String(internalPort) },
      logFile: join(logDirectory, `${service}-${index}.log`),
      stopSignal: 'TERM',
      descriptors,
    });
  }
}
