import { isRecord } from '#contracts';
import { type FastifyReply } from 'fastify';
import { type ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';

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
export type MessageId = string | number | null;

/** A message that is refused before any tool sees it: a JSON-RPC error, with the HTTP status that goes with it. */
export class RefusedMessage extends Error {
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
