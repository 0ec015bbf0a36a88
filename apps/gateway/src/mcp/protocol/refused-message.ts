import { type ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { type ProtocolAnswer, sendAnswer } from './protocol-answer.js';

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
