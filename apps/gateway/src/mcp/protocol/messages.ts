import { isRecord, ServiceError } from '#contracts';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { readJson } from '../../requests/read-request.js';
import { readableArguments } from '../tools/arguments.js';

/** An answer of the protocol: its HTTP status and its JSON, `null` where there is nothing to say. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly json: string | null;
}

/** Whether the answer is the result of a tool, and not an error of any kind. */
export function isToolResult(answer: ProtocolAnswer): answer is ProtocolAnswer & { readonly json: string } {
  if (answer.status !== 200 || answer.json === null) return false;
  const message: unknown = JSON.parse(answer.json);
  return isRecord(message) && isRecord(message.result) && message.result.isError !== true;
}

/** Sends an answer that costs nothing. */
export function sendAnswer(reply: FastifyReply, { status, json }: ProtocolAnswer): void {
  void reply.code(status);
  if (json === null) void reply.send();
  else void reply.type('application/json; charset=utf-8').send(json);
}

/** A JSON-RPC id, `null` where none could be read. */
type MessageId = string | number | null;

/** A message that is refused before any tool sees it: a JSON-RPC error, with the HTTP status that goes with it. */
class RefusedMessage extends Error {
  constructor(
    private readonly status: number,
    private readonly code: ProtocolErrorCode,
    sentence: string,
    private readonly id: MessageId = null,
  ) {
    super(sentence);
  }

  get answer(): ProtocolAnswer {
    const error = { code: this.code, message: this.message };
    return { status: this.status, json: JSON.stringify({ jsonrpc: '2.0', id: this.id, error }) };
  }
}

/** Answers messages that are refused as JSON-RPC does. */
@Catch(RefusedMessage)
export class RefusedMessageFilter implements ExceptionFilter<RefusedMessage> {
  catch(refused: RefusedMessage, host: ArgumentsHost): void {
    sendAnswer(host.switchToHttp().getResponse<FastifyReply>(), refused.answer);
  }
}

/** The body of a request. */
interface Message {
  readonly body: unknown;
  /** A tool is called, which needs a key. */
  readonly callsTool: boolean;
}

/**
 * Parses as much of a body as decides who may send it; the protocol checks the rest. Throws `RefusedMessage`, and
 * `unsupported_media_type`.
 */
export function readMessage(request: FastifyRequest): Message {
  const body = parse(request);
  // The library would answer the batches of older clients, with tool calls among them.
  if (Array.isArray(body)) throw invalid('send one message, not a list');
  const method = methodOf(body);
  if (method === 'subscriptions/listen') {
    throw new RefusedMessage(404, ProtocolErrorCode.MethodNotFound, notOffered, idOf(body));
  }
  const callsTool = method === 'tools/call';
  if (callsTool && idOf(body) === null) {
    throw invalid('a tools/call must have an id, which is a string or an integer');
  }
  return { body: callsTool ? withReadableArguments(body) : body, callsTool };
}

/** A call of a tool whose arguments the protocol understands, if they can be understood. */
function withReadableArguments(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body.params)) return body;
  const { params } = body;
  return { ...body, params: { ...params, arguments: readableArguments(params.arguments) } };
}

/** Nothing here changes while a client is connected, so there is nothing to listen to. */
const notOffered = 'Method not found: this server sends no notifications.';

function parse(request: FastifyRequest): unknown {
  try {
    return readJson(request);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error;
    throw new RefusedMessage(400, ProtocolErrorCode.ParseError, error.message);
  }
}

function invalid(problem: string): RefusedMessage {
  return new RefusedMessage(400, ProtocolErrorCode.InvalidRequest, `Invalid request: ${problem}.`);
}

function methodOf(message: unknown): unknown {
  return isRecord(message) ? message.method : undefined;
}

function idOf(message: unknown): MessageId {
  if (!isRecord(message)) return null;
  const { id } = message;
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
}
