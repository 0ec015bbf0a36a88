import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@app/platform';
import { PassErrorsToTransport, PayloadPipe, RedisServer } from '@app/transport';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, type MicroserviceOptions, Payload, Transport } from '@nestjs/microservices';

import { Summands } from './summands.js';

/** How a replica is reached. */
export type Variant = 'lists' | 'nest-redis' | 'nest-tcp';

export interface ReplicaOptions {
  readonly variant: Variant;
  /** Port of Redis; with TCP the port to listen on. */
  readonly port: number;
  /** How far the clock of this host is wrong. */
  readonly clockSkewMs?: number;
}

interface Work {
  readonly n: number;
  readonly ms?: number;
}

/** One replica in a process of its own, for the benchmark and for tests that kill it. Forked with its options as JSON. */
@Controller()
class Handlers {
  @MessagePattern('catalog.work')
  async work(@Payload() { n, ms }: Work): Promise<{ n: number; pid: number }> {
    process.send?.({ started: n });
    if (ms !== undefined) await delay(ms);
    return { n, pid: process.pid };
  }

  @MessagePattern('catalog.sum')
  sum(@Payload() { a, b }: Summands): number {
    return a + b;
  }

  @MessagePattern('catalog.settle')
  settle(@Payload() { n }: Work): number {
    return n;
  }
}

@Module({ controllers: [Handlers] })
class ReplicaModule {}

function microserviceOptions({ variant, port }: ReplicaOptions): MicroserviceOptions {
  const logger = createLogger({ service: 'replica', level: 'fatal', pretty: false });
  switch (variant) {
    case 'lists':
      return {
        strategy: new RedisServer({ redisUrl: `redis://127.0.0.1:${port}`, service: 'catalog', logger }),
      };
    case 'nest-redis':
      return { transport: Transport.REDIS, options: { host: '127.0.0.1', port } };
    case 'nest-tcp':
      return { transport: Transport.TCP, options: { host: '127.0.0.1', port } };
  }
}

async function start(options: ReplicaOptions): Promise<void> {
  const { clockSkewMs = 0 } = options;
  const now = Date.now.bind(Date);
  Date.now = () => now() + clockSkewMs;
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(ReplicaModule, {
    ...microserviceOptions(options),
    logger: false,
  });
  app.useGlobalFilters(new PassErrorsToTransport());
  app.useGlobalPipes(new PayloadPipe());
  await app.listen();
  process.once('SIGTERM', () => {
    void app.close().then(() => process.exit(0));
  });
  process.once('disconnect', () => process.exit(0));
  process.send?.({ ready: true });
}

await start(JSON.parse(process.argv[2] ?? '{}') as ReplicaOptions);
