import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { sendAnswer } from './protocol/protocol-answer.js';
import { RefusedMessage } from './protocol/refused-message.js';

/** Answers messages that are refused as JSON-RPC does. */
@Catch(RefusedMessage)
export class RefusedMessageFilter implements ExceptionFilter<RefusedMessage> {
  catch(refused: RefusedMessage, host: ArgumentsHost): void {
    sendAnswer(host.switchToHttp().getResponse<FastifyReply>(), refused.answer);
  }
}
