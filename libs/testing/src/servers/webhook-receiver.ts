import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { makeCertificate } from './certificate.js';

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, path: string) => void;

/** The name in its certificate; it resolves only where a test says so. */
const host = 'hooks.example';

/** A real HTTPS server that keeps what it receives. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Connections that were opened so far. */
  connections = 0;
  private answerWith: Answer = (response) => response.writeHead(204).end();

  private constructor(
    private readonly server: Server,
    /** The certificate, for a client that is to trust it. */
    readonly certificate: string,
  ) {
    server.on('connection', () => (this.connections += 1));
    server.on('request', (request, response) => {
      text(request).then(
        (body) => {
          const path = request.url ?? '';
          this.received.push({ path, headers: request.headers, body });
          this.answerWith(response, path);
        },
        // A client that is gone gets no answer.
        () => response.destroy(),
      );
    });
  }

  static async start(): Promise<WebhookReceiver> {
    const { certificateFile, keyFile, remove } = await makeCertificate(host);
    const [cert, key] = [readFileSync(certificateFile, 'utf8'), readFileSync(keyFile)];
    remove();
    const server = createServer({ cert, key });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new WebhookReceiver(server, cert);
  }

  get url(): string {
    return `https://${host}:${this.port}/hook`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** From now on; at first every request is answered 204. */
  answer(answer: Answer | number): void {
    this.answerWith = typeof answer === 'number' ? (response) => response.writeHead(answer).end() : answer;
  }

  /** Forgets all deliveries and settings. */
  reset(): void {
    this.received.length = 0;
    this.connections = 0;
    this.answer(204);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}
