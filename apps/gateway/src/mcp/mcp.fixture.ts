import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getProfile, type NextPage, searchCreators, type SearchSummary, WithBytes } from '#contracts';
import fc from 'fast-check';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

export const entry = {
  slug: 'luna',
  name: 'Lúna',
  url: 'https://example.com/creators/luna',
  country: 'Chile',
  total_reach: 12,
  platforms: [{ platform: 'x', handle: '@luna', url: 'https://x.com/luna', followers: 12 }],
};

export const profile = {
  ...entry,
  tagline: 'Moon',
  languages: ['Spanish'],
  verified: true,
  categories: ['science'],
  platforms: [{ ...entry.platforms[0], updated_at: '2026-01-31T00:00:00.000Z' }],
};

export type ToolResult = Awaited<ReturnType<Client['callTool']>>;

/** The text of a result: a line, or the JSON of an error. */
export function textOf({ content: [content] }: ToolResult): string {
  if (content?.type !== 'text') throw new Error('a result is a text');
  return content.text;
}

interface ToolError {
  readonly error: string;
  readonly details?: Readonly<Record<string, string[]>>;
}

/** The error in the text of a result. */
export function toolError(result: ToolResult): ToolError {
  expect(result).toMatchObject({ isError: true });
  expect(result.structuredContent).toBeUndefined();
  return JSON.parse(textOf(result)) as ToolError;
}

const accept = 'application/json, text/event-stream';

/** A JSON-RPC request of a client of 2025. */
export function request(method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id: 1, method, params };
}

/** The request that calls a tool. */
export function toolCall(name: string, toolArguments: object): object {
  return request('tools/call', { name, arguments: toolArguments });
}

/** The reply of the catalog when these creators match. */
export function foundCreators(
  creators: readonly object[],
  next: NextPage | null = null,
): WithBytes<SearchSummary> {
  const found = { total: creators.length, returned: creators.length, next };
  return new WithBytes(found, Buffer.from(JSON.stringify(creators)));
}

/** A right message that is broken at one place. */
const brokenMessage = fc
  .tuple(fc.constantFrom('tools/call', 'tools/list', 'initialize'), fc.nat(), fc.string({ maxLength: 3 }))
  .map(([method, place, inserted]) => {
    const text = JSON.stringify({ ...toolCall('get_creator', { slug: 'luna' }), method });
    const cut = place % text.length;
    return text.slice(0, cut) + inserted + text.slice(cut + inserted.length + 1);
  });

/** Bodies that are more or less like messages of the protocol. */
export const messageLike = fc.oneof(brokenMessage, fc.json(), fc.string());

/** One gateway with scripted services, and clients of its endpoint for models. */
export class McpFixture {
  private readonly clients: Client[] = [];

  private constructor(readonly api: PublicApiFixture) {}

  /** One for all tests of a suite; before each of them everything works. */
  static forSuite(environment: Record<string, string> = {}): McpFixture {
    const fixture = new McpFixture(PublicApiFixture.forSuite(environment));
    beforeEach(() => fixture.scriptSuccess());
    afterAll(() => fixture.disconnect());
    return fixture;
  }

  get url(): string {
    return `${this.api.origin}/mcp`;
  }

  /** Everything works, and what is found is what the catalog would send. */
  scriptSuccess(): void {
    this.api.scriptSuccess();
    const { services } = this.api;
    services.on(searchCreators, () => foundCreators([entry]));
    services.on(getProfile, () => new WithBytes({ found: true }, Buffer.from(JSON.stringify(profile))));
  }

  /** The protocol's own client, connected with the key. */
  async connect(): Promise<Client> {
    const versionNegotiation = { mode: { pin: '2026-07-28' } };
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
    const headers = { authorization: `Bearer ${this.api.key}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(this.url), { requestInit: { headers } }));
    this.clients.push(client);
    return client;
  }

  /** Sends a body as it is, with the key unless `headers` say otherwise. */
  post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.postOpenly(body, { authorization: `Bearer ${this.api.key}`, ...headers });
  }

  /** Posts without a key. */
  postOpenly(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  private async disconnect(): Promise<void> {
    for (const client of this.clients) await client.close();
  }
}
