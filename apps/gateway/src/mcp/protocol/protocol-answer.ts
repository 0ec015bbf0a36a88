import { isRecord } from '@app/contracts';
import { type FastifyReply } from 'fastify';

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
