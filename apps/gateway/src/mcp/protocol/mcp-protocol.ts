import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { buildInfo, LOGGER, type Logger } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type IncomingHttpHeaders } from 'node:http';
import { Toolbox } from '../tools/toolbox.js';
import { type ProtocolAnswer } from './messages.js';

/** Calls one tool. A `ProtocolError` that it throws is the answer; anything else is thrown on. */
export type CallTool = (
  name: string,
  toolArguments: Readonly<Record<string, unknown>>,
) => Promise<CallToolResult>;

/** What the client shows its model about the server as a whole. */
const instructions = [
  'Finds verified creators on YouTube, Instagram, TikTok, Facebook and X.',
  'Begin with list_filters: it is free and shows which countries, categories and languages there are.',
  'lookup_accounts is free and turns profile links and handles into slugs for get_creator and get_creators.',
  'A search that finds creators costs 1 credit and 1 more for each filter used; one that finds none is free.',
  'A profile costs 1 credit. A call that fails costs nothing.',
  'max_credits limits what a call may cost; get_balance is free and says what is left.',
  'To repeat a paid call whose result was lost without paying again, give both the same idempotency_key.',
].join(' ');

const identity = { name: 'creator-search', title: 'Creator Search', version: buildInfo.version };
/** Says what the transport needs to know of a request; its body is passed separately. */
const url = 'http://localhost/mcp';
const accepted = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/**
 * The Model Context Protocol for one message: nothing is remembered between them. Clients of 2026-07-28 say
 * with each message which revision they speak; older ones begin with `initialize`. The answer is a value here, not written
 * to a connection yet, so that it can be charged for like any other.
 */
@Injectable()
export class McpProtocol {
  constructor(
    private readonly toolbox: Toolbox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async answer(body: unknown, headers: IncomingHttpHeaders, callTool: CallTool): Promise<ProtocolAnswer> {
    const request = new Request(url, {
      method: 'POST',
      headers: { ...accepted, ...protocolHeaders(headers) },
    });
    // The library would show to the client what a tool throws.
    let unexpected: Error | undefined;
    const watched: CallTool = (name, toolArguments) =>
      callTool(name, toolArguments).catch((error: Error) => {
        if (!(error instanceof ProtocolError)) unexpected = error;
        throw error;
      });
    const response = (await isLegacyRequest(request, body))
      ? await this.answerLegacy(request, body, watched)
      : await this.answerModern(request, body, watched);
    const json = await response.text();
    if (unexpected) throw unexpected;
    if (response.status >= 500) throw new Error(`the protocol failed: ${json}`);
    return { status: response.status, json: json === '' ? null : json };
  }

  private readonly onError = (error: Error): void => this.logger.debug({ err: error }, 'message refused');

  private answerModern(request: Request, parsedBody: unknown, callTool: CallTool): Promise<Response> {
    const { onError: onerror } = this;
    const handler = createMcpHandler(() => this.server(callTool), { legacy: 'reject', onerror });
    return handler.fetch(request, { parsedBody });
  }

  /** The handler above would answer these clients with streams. */
  private async answerLegacy(request: Request, parsedBody: unknown, callTool: CallTool): Promise<Response> {
    const server = this.server(callTool);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody });
    } finally {
      await server.close();
    }
  }

  private server(callTool: CallTool): Server {
    const server = new Server(identity, { capabilities: { tools: {} }, instructions });
    server.onerror = this.onError;
    server.setRequestHandler('tools/list', () => ({ tools: this.toolbox.definitions }));
    server.setRequestHandler('tools/call', ({ params }) => callTool(params.name, params.arguments ?? {}));
    return server;
  }
}

/** The headers that repeat parts of the body, for proxies; the protocol checks that they do. */
function protocolHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  return Object.fromEntries(pairs.map(([name, value]) => [name, String(value)]));
}
