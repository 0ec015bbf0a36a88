import { isRecord } from '#contracts';
import { Injectable } from '@nestjs/common';
import { type IncomingHttpHeaders } from 'node:http';
import { RecentMap } from '../../requests/recent-map.js';
import { McpProtocol, protocolHeaders } from './mcp-protocol.js';
import { type ProtocolAnswer } from './protocol-answer.js';

/** What a client sends before it calls a tool: it sends the same each time, and so do all clients of one kind. */
const openMethods: ReadonlySet<unknown> = new Set(['initialize', 'ping', 'server/discover', 'tools/list']);
/** Methods that an older client may put in a batch. */
const batchedMethods: ReadonlySet<unknown> = new Set(['ping', 'tools/list']);
const answersMax = 200;
/** Of a message without its id: one of a real client has half of it. */
const lengthMax = 2_048;

/**
 * Answers messages that call no tool. What the server can do never changes while it runs, so the answer to a message is made
 * once and kept, without the id that each has of its own.
 */
@Injectable()
export class OpenAnswers {
  /** The JSON of an answer behind its opening brace, by the message. */
  private readonly kept = new RecentMap<string>(answersMax);

  constructor(private readonly protocol: McpProtocol) {}

  async answer(body: unknown, headers: IncomingHttpHeaders): Promise<ProtocolAnswer> {
    if (Array.isArray(body)) {
      return (await this.batch(body, headers)) ?? this.protocol.answer(body, headers, noTool);
    }
    const known = keyOf(body, headers);
    if (known === null) return this.protocol.answer(body, headers, noTool);
    const kept = this.kept.get(known.key);
    if (kept !== undefined) return { status: 200, json: withId(known.id, kept) };
    const answer = await this.protocol.answer(body, headers, noTool);
    const rest = answer.status === 200 && answer.json !== null ? restOf(answer.json) : null;
    if (rest !== null) this.kept.set(known.key, rest);
    return answer;
  }

  /** `null` unless each of its messages can be answered by itself. */
  private async batch(
    messages: readonly unknown[],
    headers: IncomingHttpHeaders,
  ): Promise<ProtocolAnswer | null> {
    const isOpen = (message: unknown): boolean =>
      isRecord(message) && batchedMethods.has(message.method) && keyOf(message, headers) !== null;
    if (!messages.every(isOpen)) return null;
    const answers = [];
    for (const message of messages) answers.push(await this.answer(message, headers));
    if (answers.some(({ status }) => status !== 200)) return null;
    return { status: 200, json: `[${answers.map(({ json }) => json).join(',')}]` };
  }
}

/** What decides about the answer to a message; `null` for one whose answer is not kept. */
function keyOf(message: unknown, headers: IncomingHttpHeaders): { key: string; id: string } | null {
  if (!isRecord(message) || !openMethods.has(message.method)) return null;
  const { id, ...rest } = message;
  if (typeof id !== 'string' && !(typeof id === 'number' && Number.isInteger(id))) return null;
  const key = JSON.stringify([rest, protocolHeaders(headers)]);
  return key.length > lengthMax ? null : { key, id: JSON.stringify(id) };
}

/** A result without its id; errors are not kept. */
function restOf(json: string): string | null {
  const answer: unknown = JSON.parse(json);
  if (!isRecord(answer) || !isRecord(answer.result)) return null;
  return JSON.stringify({ ...answer, id: undefined }).slice(1);
}

function withId(id: string, rest: string): string {
  return `{"id":${id},${rest}`;
}

function noTool(): never {
  throw new Error('a message without a key called a tool');
}
