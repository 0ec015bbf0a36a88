import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { type Readable } from 'node:stream';

/** An answer as it came; `body` is the parsed JSON, `undefined` when there was none. */
export interface Reply<Body> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
}

export interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | Readable;
}

/** An idle connection is given up well before the server does so, which would look like a failed call. */
const pooling = { keepAlive: true, maxSockets: 64, timeout: 2_000 };
const httpAgent = new HttpAgent(pooling);
const httpsAgent = new HttpsAgent(pooling);

/** Sends exactly this path: nothing is normalised or encoded on the way, as `fetch` would do. */
export function send<Body>(origin: string, path: string, call: Call = {}): Promise<Reply<Body>> {
  const { protocol, hostname, port } = new URL(origin);
  const secure = protocol === 'https:';
  const options = {
    host: hostname,
    port,
    path,
    method: call.method ?? 'GET',
    headers: call.headers ?? {},
    agent: secure ? httpsAgent : httpAgent,
  };
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const body = (text === '' ? undefined : parseJson(text)) as Body;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body });
      });
    });
    request.on('error', reject);
    if (call.body === undefined) request.end();
    else if (typeof call.body === 'string' || Buffer.isBuffer(call.body)) request.end(call.body);
    else call.body.on('error', reject).pipe(request);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`not JSON: ${text.slice(0, 300)}`);
  }
}
