import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from './program.js';

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  /** Standard input. Default: empty. */
  readonly stdin?: Readable;
  /** Working directory. Default: the root. */
  readonly directory?: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a command of the CLI in this process, without a local stack. */
export async function runCommand(
  words: readonly string[],
  { stdin = Readable.from([]), directory = '/', environment }: CliOptions,
): Promise<CliRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runCli([...words], {
    stdin,
    stdout,
    stderr,
    environment,
    directory,
    command: 'npm run cli --',
    stackFile: '/nowhere/stack.json',
    wikidataTables: join(import.meta.dirname, 'wikidata/tables'),
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** An answer with a status and JSON. */
export function reply(status: number, body: unknown): Respond {
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface SeenRequest {
  /** Method and path without `/admin/v1`: `GET /packs`. */
  readonly call: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An admin API that gives scripted answers, one for each request. */
export class ScriptedAdminApi {
  /** What follows; an empty script answers 500. */
  answers: Respond[] = [];
  seen: SeenRequest[] = [];
  /** Answers requests whose body was not read. */
  beforeBody: Respond | null = null;

  private readonly server = createServer((request, response) => void this.respond(request, response));

  private constructor() {}

  /** One for all tests of a file, without the answers and requests of the test before. */
  static forTests(): ScriptedAdminApi {
    const api = new ScriptedAdminApi();
    beforeAll(async () => {
      await once(api.server.listen(0, '127.0.0.1'), 'listening');
    });
    beforeEach(() => Object.assign(api, { answers: [], seen: [], beforeBody: null }));
    afterAll(() => api.stop());
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The seen requests and their bodies. */
  get calls(): readonly { readonly call: string; readonly body: unknown }[] {
    return this.seen.map(({ call, body }) => ({
      call,
      body: body === '' ? null : (JSON.parse(body) as unknown),
    }));
  }

  private async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  /** Runs a command against this API. */
  cli(words: string | readonly string[], stdin?: Readable, directory?: string): Promise<CliRun> {
    return runCommand(typeof words === 'string' ? words.split(' ') : words, {
      stdin,
      directory,
      environment: { ADMIN_URL: this.url, ADMIN_TOKEN: 'the token' },
    });
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = this.answers.shift() ?? reply(500, { error: 'the script has no answer left' });
    const { method, url = '', headers } = request;
    const call = `${method} ${url.replace('/admin/v1', '')}`;
    if (this.beforeBody) return this.beforeBody(request, response);
    this.seen.push({ call, headers, body: await text(request) });
    await answer(request, response);
  }
}
