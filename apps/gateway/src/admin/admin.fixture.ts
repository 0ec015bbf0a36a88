import { Shutdown } from '#http';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type MessageContract } from '#contracts';
import { createLogger, NestLogger, shutdownTimes } from '#platform';
import { startRedis } from '#dev';
import { Test } from '@nestjs/testing';
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Readable } from 'node:stream';
import { ScriptedServices } from '#testing';
import { readGatewayConfig } from '../config/gateway-config.js';
import { AdminModule } from './admin.module.js';
import { adminAdapter, configureAdminApp } from './create-admin-app.js';
import { IMPORT_RETRY_DELAYS_MS } from './import/import-creators.service.js';

export const adminToken = 'the-token-of-the-operator';
export const authorization = { authorization: `Bearer ${adminToken}` };
const logger = createLogger({ service: 'gateway', level: 'fatal', pretty: false });

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export interface Call {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer | Readable;
}

/**
 * The admin API on a port of its own, behind it a real Redis and real replicas of billing and catalog whose message
 * handlers are scripted by the test.
 */
export class AdminFixture {
  private readonly scripted = new ScriptedServices();
  private readonly closers: (() => Promise<unknown>)[] = [];
  private app: NestFastifyApplication;
  private origin: string;

  /** One for all tests of a file, each of which begins without answers. */
  static forTests(environment: Readonly<Record<string, string>> = {}): AdminFixture {
    const fixture = new AdminFixture();
    beforeAll(() => fixture.open(environment));
    beforeEach(() => fixture.scripted.reset());
    afterAll(() => fixture.stop());
    return fixture;
  }

  private async open(environment: Readonly<Record<string, string>>): Promise<void> {
    const redis = await startRedis();
    this.closers.push(() => redis.stop());
    await this.scripted.start(redis.url, ['billing', 'catalog']);
    this.closers.push(() => this.scripted.close());
    const config = readGatewayConfig({
      SERVICE_REDIS_URL: redis.url,
      ADMIN_TOKEN: adminToken,
      DRAIN_MS: '0',
      ...environment,
    });
    const app = { config, logger, shutdown: new Shutdown(shutdownTimes(config)) };
    const module = await Test.createTestingModule({ imports: [AdminModule.forRoot(app)] })
      .overrideProvider(IMPORT_RETRY_DELAYS_MS)
      .useValue([20, 20])
      .compile();
    this.app = module.createNestApplication<NestFastifyApplication>(adminAdapter(), {
      bodyParser: false,
      logger: new NestLogger(logger),
    });
    configureAdminApp(this.app, app);
    await this.app.listen(0, '127.0.0.1');
    this.origin = await this.app.getUrl();
    this.closers.push(() => this.app.close());
  }

  /** Sets the answer to a message; a thrown `ServiceError` is the answer. */
  on<Request, Answer>(
    contract: MessageContract<Request, Answer>,
    handler: (payload: Request) => Answer | Promise<Answer>,
  ): void {
    this.scripted.on(contract, handler);
  }

  get received(): ScriptedServices['received'] {
    return this.scripted.received;
  }

  /** A call with the token; `path` is below `/admin/v1`. */
  send(method: string, path: string, call: Call = {}): Promise<Reply> {
    return this.sendPlain(method, `/admin/v1${path}`, {
      ...call,
      headers: { ...authorization, ...call.headers },
    });
  }

  /** `call` is a method and a path, for example `GET /accounts`. */
  call(call: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<Reply> {
    const [method = '', path = ''] = call.split(' ');
    if (body === undefined) return this.send(method, path, { headers });
    const json = { 'content-type': 'application/json', ...headers };
    return this.send(method, path, { headers: json, body: JSON.stringify(body) });
  }

  sendPlain(method: string, path: string, { headers = {}, body }: Call = {}): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.origin}${path}`, { method, headers }, (response) => {
        const { statusCode: status = 0, headers: received } = response;
        text(response).then(
          (answer) => resolve({ status, headers: received, body: parse(answer, received) }),
          reject,
        );
        // The answer may arrive before the body has been sent; the rest is then not awaited.
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
    for (const close of this.closers.splice(0).reverse()) await close();
  }
}

function parse(answer: string, headers: IncomingHttpHeaders): unknown {
  if (answer === '') return undefined;
  return /^text\/|ndjson/.test(headers['content-type'] ?? '') ? answer : JSON.parse(answer);
}
