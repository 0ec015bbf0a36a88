import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { environment } from './environment.js';

/** Clients that begin with `initialize`, and those that say their revision with each message. */
export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];

type Arguments = Readonly<Record<string, unknown>>;
type Result = Awaited<ReturnType<Client['callTool']>>;

/** The protocol's own client, as the application of a user with this key has it. */
export class McpConsumer {
  private constructor(private readonly client: Client) {}

  /** Connects; without a key when it is `null`. */
  static async connect(era: Era, key: string | null): Promise<McpConsumer> {
    const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy';
    const client = new Client({ name: 'consumer', version: '1' }, { versionNegotiation: { mode } });
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const url = new URL('/mcp', environment.publicUrl);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    // From now on the client checks each result against the schema of its tool.
    await client.listTools();
    return new McpConsumer(client);
  }

  get instructions(): string {
    return this.client.getInstructions() ?? '';
  }

  /** What the tool returns, whose text is one line; throws when the result is an error. */
  async call<Content>(name: string, given: Arguments = {}): Promise<Content> {
    const result = await this.result(name, given);
    if (result.isError) throw new Error(textOf(result));
    expect(textOf(result)).toMatch(/^[^\n{]{1,200}$/);
    return result.structuredContent as Content;
  }

  /** What the result says that has to be an error: the body of the API's error. */
  async error<Body>(name: string, given: Arguments = {}): Promise<Body> {
    const result = await this.result(name, given);
    expect(result.isError).toBe(true);
    return JSON.parse(textOf(result)) as Body;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private result(name: string, given: Arguments): Promise<Result> {
    return this.client.callTool({ name, arguments: { ...given } });
  }
}

function textOf({ content: [content] }: Result): string {
  if (content?.type !== 'text') throw new Error('a result is a text');
  return content.text;
}
