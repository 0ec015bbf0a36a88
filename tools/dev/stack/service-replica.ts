import { join, resolve } from 'node:path';
import { isAnswered, ServerProcess } from '../processes/server-process.js';

export const serviceNames = ['gateway', 'website', 'catalog', 'billing'] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface ReplicaOptions {
  readonly service: ServiceName;
  readonly index: number;
  readonly internalPort: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logDirectory: string;
  readonly descriptors?: readonly number[];
}

/**
 * Node's options, as in the images. V8's helper threads would compete with the service for the same processors; a website serves as many
 * pages with two thirds of the memory.
 */
export const serviceNodeOptions: Readonly<Record<ServiceName, readonly string[]>> = {
  gateway: ['--single-threaded-gc', '--heap-growing-percent=200'],
  website: ['--single-threaded-gc', '--optimize-for-size'],
  catalog: ['--single-threaded-gc'],
  billing: ['--single-threaded-gc', '--heap-growing-percent=200'],
};

/** A compiled file of a service, in this project or where another directory holds the program. */
export function serviceFile(service: ServiceName, file: string, directory = '.'): string {
  return resolve(directory, 'dist/apps', service, 'src', file);
}

/** A process of a service. */
export class ServiceReplica extends ServerProcess {
  readonly service: ServiceName;
  /** Origin of its internal port. */
  readonly internalUrl: string;

  constructor({ service, index, internalPort, environment, logDirectory, descriptors }: ReplicaOptions) {
    const internalUrl = `http://127.0.0.1:${internalPort}`;
    super({
      name: `${service} ${index}`,
      command: process.execPath,
      parameters: [...serviceNodeOptions[service], serviceFile(service, 'main.js')],
      environment: { ...environment, INTERNAL_PORT: String(internalPort) },
      logFile: join(logDirectory, `${service}-${index}.log`),
      stopSignal: 'TERM',
      descriptors,
      isReady: () => isAnswered(`${internalUrl}/health/ready`),
    });
    this.service = service;
    this.internalUrl = internalUrl;
  }

  /** Does not wait until it is ready: others may have to start first. */
  override async restart(): Promise<void> {
    await this.end();
    this.launch();
  }
}
