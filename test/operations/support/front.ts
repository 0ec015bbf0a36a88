import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:net';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, isAnswered, ServerProcess } from '#dev';

const isRoot = process.getuid?.() === 0;
/** In a namespace of its own, where the front gets the addresses of names from our file. */
const namespace = [...(isRoot ? [] : ['--map-root-user']), '--mount'];

/** Why the front can't be started on this machine; null when it can. */
export function missingForFront(): string | null {
  if (spawnSync('caddy', ['version']).status !== 0) {
    return 'Caddy is missing (Debian and Ubuntu: apt-get install caddy)';
  }
  return spawnSync('unshare', [...namespace, 'true']).status === 0 ? null : 'unshare is not allowed';
}

export interface FrontAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The front of the compose file with its Caddyfile as it is: only its variables, and what its names lead to, are of the test. */
export class Front {
  private readonly directory = mkdtempSync(join(tmpdir(), 'front-'));
  private readonly hosts = join(this.directory, 'hosts');
  private process: ServerProcess | undefined;
  private constructor(
    readonly httpPort: number,
    readonly port: number,
  ) {}

  /** Serves `https://localhost`; resolves when the gateway that `health` is the internal port of can be reached through it. */
  static async start(ports: { gateway: number; website: number; health: number }): Promise<Front> {
    const [http = 0, https = 0, health = 0] = await freePorts(3);
    const front = new Front(http, https);
    front.route('127.0.0.1');
    front.process = new ServerProcess({
      name: 'front',
      command: 'unshare',
      parameters: [
        ...[...namespace, 'sh', '-c', 'mount --bind "$1" /etc/hosts && exec caddy run --config "$2"'],
        ...['sh', front.hosts, 'deploy/front/Caddyfile'],
      ],
      environment: {
        ...process.env,
        XDG_DATA_HOME: front.directory,
        XDG_CONFIG_HOME: front.directory,
        // Not us: what we claim does not count.
        LOAD_BALANCERS: '192.0.2.0/24',
        HTTP_PORT: String(http),
        HTTPS_PORT: String(https),
        HEALTH_PORT: String(health),
        GATEWAY_PORT: String(ports.gateway),
        GATEWAY_INTERNAL_PORT: String(ports.health),
        WEBSITE_PORT: String(ports.website),
      },
      logFile: join(front.directory, 'log'),
      stopSignal: 'TERM',
      isReady: () => isAnswered(`http://127.0.0.1:${health}/health/ready`),
    });
    await front.process.waitUntilReady();
    return front;
  }

  /** From now on the name of the gateways has these addresses, which the front notices within some seconds. */
  route(...gateways: string[]): void {
    const lines = ['127.0.0.1 localhost', '127.0.0.1 website', ...gateways.map((ip) => `${ip} gateway`)];
    // The file stays the same one: another would not be the one that is mounted.
    writeFileSync(this.hosts, `${lines.join('\n')}\n`);
  }

  /** Over a connection of its own, whose certificate has to be one of the front's authority. */
  async send(path: string, options: RequestOptions = {}): Promise<FrontAnswer> {
    const { directory, port } = this;
    const ca = readFileSync(join(directory, 'caddy/pki/authorities/local/root.crt'));
    const sent = request({ host: 'localhost', port, path, ca, agent: false, ...options }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  }

  async stop(): Promise<void> {
    await this.process?.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A gateway at an address of its own that answers as scripted: `reply` for each request, null to break the connection. */
export class ScriptedGateway {
  readonly heads: string[] = [];
  /** How many of its connections the front has closed. */
  closed = 0;
  private readonly server: Server;

  private constructor(reply: (head: string) => string | null) {
    this.server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('close', () => (this.closed += 1));
      socket.on('data', (data) => {
        const head = data.toString();
        this.heads.push(head);
        const answer = reply(head);
        if (answer === null) socket.destroy();
        else socket.write(answer);
      });
    });
  }

  static async listen(
    address: string,
    port: number,
    reply: (head: string) => string | null,
  ): Promise<ScriptedGateway> {
    const gateway = new ScriptedGateway(reply);
    await once(gateway.server.listen(port, address), 'listening');
    return gateway;
  }

  close(): void {
    this.server.close();
  }
}
