import { Controller, Module, type INestMicroservice, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type MessageContract, type ServiceName, WithBytes } from '@app/contracts';
import * as contracts from '@app/contracts';
import { createLogger } from '@app/platform';
import { startRedis } from '@app/testing';
import { PassErrorsToTransport, RedisServer, ServiceClient } from '@app/transport';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Readable } from 'node:stream';
import { createAdminApp } from './admin-app.js';

const adminToken = 'the-token-of-the-operator';
export const authorization = { authorization: `Bearer ${adminToken}` };
const logger = createLogger({ service: 'gateway', level: 'fatal', pretty: false });

type Handler = (payload: unknown) => unknown;

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface Call {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | Readable;
}

interface FixtureOptions {
  /** Services that answer; the others have no replica. */
  readonly services?: readonly ServiceName[];
  readonly importRetryDelaysMs?: readonly number[];
}

/**
 * The admin API on a port of its own, behind it a real Redis and real replicas of billing and catalog whose message
 * handlers are scripted by the test.
 */
export class AdminFixture {
  readonly received: { readonly pattern: string; readonly payload: unknown }[] = [];
  private readonly handlers = new Map<string, Handler>();
  private readonly closers: (() => Promise<unknown>)[] = [];
  private app: NestFastifyApplication;
  private origin: string;

  static async start(options: FixtureOptions = {}): Promise<AdminFixture> {
    const fixture = new AdminFixture();
    const redis = await startRedis();
    fixture.closers.push(() => redis.stop());
    for (const service of options.services ?? ['billing', 'catalog']) {
      const replica = await fixture.startReplica(service, redis.url);
      fixture.closers.push(() => replica.close());
    }
    const services = new ServiceClient({ redisUrl: redis.url, logger });
    await services.connect();
    fixture.closers.push(async () => services.close());
    fixture.app = await createAdminApp(services, {
      adminToken,
      logger,
      importRetryDelaysMs: options.importRetryDelaysMs ?? [20, 20],
    });
    await fixture.app.listen(0, '127.0.0.1');
    fixture.origin = await fixture.app.getUrl();
    fixture.closers.push(() => fixture.app.close());
    return fixture;
  }

  /** Answers a message from now on; throwing a `ServiceError` answers with it. */
  on<Request, Answer>(
    contract: MessageContract<Request, Answer>,
    handler: (payload: Request) => Answer | Promise<Answer>,
  ): void {
    this.handlers.set(contract.pattern, (payload) => handler(payload as Request));
  }

  reset(): void {
    this.handlers.clear();
    this.received.length = 0;
  }

  /** A call with the token; `path` is below `/admin/v1`. */
  send(method: string, path: string, call: Call = {}): Promise<Reply> {
    return this.sendPlain(method, `/admin/v1${path}`, {
      ...call,
      headers: { ...authorization, ...call.headers },
    });
  }

  sendJson(method: string, path: string, body: unknown): Promise<Reply> {
    const headers = { 'content-type': 'application/json' };
    return this.send(method, path, { headers, body: JSON.stringify(body) });
  }

  sendPlain(method: string, path: string, { headers = {}, body }: Call = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.origin}${path}`, { method, headers }, (response) => {
        const { statusCode: status = 0, headers: received } = response;
        text(response).then((answer) => resolve({ status, headers: received, body: parse(answer) }), reject);
        // An answer may come before the body has been sent: nobody waits for the rest then.
        response.on('end', () => outgoing.destroy());
      });
      outgoing.on('error', reject);
      if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) outgoing.end(body);
      else body.pipe(outgoing).once('close', () => body.destroy());
    });
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  async stop(): Promise<void> {
    for (const close of this.closers.reverse()) await close();
  }

  private async startReplica(service: ServiceName, redisUrl: string): Promise<INestMicroservice> {
    const strategy = new RedisServer({ redisUrl, service, logger });
    const replica = await NestFactory.createMicroservice(this.scriptedModule(service), {
      strategy,
      logger: false,
    });
    replica.useGlobalFilters(new PassErrorsToTransport());
    await replica.listen();
    return replica;
  }

  private scriptedModule(service: ServiceName): Type {
    const answer = (pattern: string, payload: unknown): unknown => {
      this.received.push({ pattern, payload: payload instanceof WithBytes ? payload.value : payload });
      const handler = this.handlers.get(pattern);
      if (!handler) throw new Error(`nothing is scripted for ${pattern}`);
      return handler(payload);
    };
    class Scripted {}
    for (const pattern of patternsOf(service)) {
      const descriptor = { value: (payload: unknown) => answer(pattern, payload), writable: true };
      Object.defineProperty(Scripted.prototype, pattern, descriptor);
      Payload()(Scripted.prototype, pattern, 0);
      MessagePattern(pattern)(Scripted.prototype, pattern, descriptor);
    }
    Controller()(Scripted);
    class ScriptedModule {}
    Module({ controllers: [Scripted] })(ScriptedModule);
    return ScriptedModule;
  }
}

function patternsOf(service: ServiceName): string[] {
  return Object.values(contracts).flatMap((value) =>
    typeof value === 'object' && 'pattern' in value && value.service === service ? [value.pattern] : [],
  );
}

function parse(answer: string): unknown {
  return answer === '' ? undefined : JSON.parse(answer);
}
