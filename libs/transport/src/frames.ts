import { type ErrorPayload, type Operator, WithBytes, errorCodes, isRecord } from '#contracts';

/** A request in a queue. */
export interface RequestFrame {
  /** Id of the request, equal on a resend. */
  readonly id: string;
  readonly pattern: string;
  readonly replyTo: string;
  readonly requestId: string;
  readonly traceparent?: string;
  /** The operator who has asked for it; absent: no operator. */
  readonly operator?: Operator;
  /** Time allowed by the sender at the first send; with the deadline, it gives the age of the request. */
  readonly budgetMs?: number;
  readonly data: unknown;
}

/** A reply published to the client's channel. */
export type ReplyFrame =
  { readonly id: string; readonly data: unknown } | { readonly id: string; readonly error: ErrorPayload };

/** Larger than any answer; larger frames are neither sent nor read. */
export const replyBytesMax = 64 * 1024 * 1024;

const newline = 0x0a;

/**
 * One line of JSON, then, for a `WithBytes`, the bytes unchanged. JSON contains no raw line feed, so the first one ends
 * the line and marks the start of the bytes, even if there are none.
 */
export function encodeFrame(frame: RequestFrame | ReplyFrame): Buffer {
  if (!('data' in frame) || !(frame.data instanceof WithBytes)) return Buffer.from(JSON.stringify(frame));
  const { data } = frame;
  const line = JSON.stringify({ ...frame, data: data.value as unknown });
  return Buffer.concat([Buffer.from(`${line}\n`), data.bytes]);
}

/** The inverse of `encodeFrame`; throws on an invalid frame. */
export function decodeFrame<Frame>(buffer: Buffer): Frame {
  const end = buffer.indexOf(newline);
  if (end === -1) return JSON.parse(buffer.toString()) as Frame;
  const frame = JSON.parse(buffer.toString('utf8', 0, end)) as { data: unknown };
  return { ...frame, data: new WithBytes(frame.data, buffer.subarray(end + 1)) } as Frame;
}

/** Bytes that are not a valid reply. `id`: the request they answer, if known. */
export class MalformedReply extends Error {
  override readonly name = 'MalformedReply';

  constructor(
    message: string,
    readonly id?: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Reads a message on a client's channel, to which anyone with access to Redis may publish. Throws `MalformedReply`. */
export function readReply(bytes: Buffer): ReplyFrame {
  if (bytes.length > replyBytesMax) throw new MalformedReply(`a reply of ${bytes.length} bytes`);
  const frame = decode(bytes);
  if (!isRecord(frame) || typeof frame.id !== 'string') throw new MalformedReply('a reply without an id');
  const { id } = frame;
  if ('error' in frame) {
    if (isErrorPayload(frame.error)) return { id, error: frame.error };
    throw new MalformedReply('a reply with an invalid error', id);
  }
  if ('data' in frame) return { id, data: frame.data };
  throw new MalformedReply('a reply with neither data nor an error', id);
}

function decode(bytes: Buffer): unknown {
  try {
    return decodeFrame<unknown>(bytes);
  } catch (error) {
    throw new MalformedReply('a reply that is not a frame', undefined, error);
  }
}

function isErrorPayload(value: unknown): value is ErrorPayload {
  if (!isRecord(value)) return false;
  const { code, message, details } = value;
  return (
    errorCodes.some((known) => known === code) &&
    typeof message === 'string' &&
    message !== '' &&
    (details === undefined || (isRecord(details) && Object.values(details).every(isTexts)))
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

const space = 0x20;
const texts = ['id', 'pattern', 'replyTo', 'requestId'] as const;

/** Splits a queue item into its deadline, ms of Redis time, and the bytes of the request. Throws without a deadline. */
export function readDeadline(item: Buffer): { readonly deadline: number; readonly bytes: Buffer } {
  const end = item.indexOf(space);
  const digits = item.toString('latin1', 0, Math.max(0, end));
  if (!/^\d{1,15}$/.test(digits)) throw new Error('a request without a deadline');
  return { deadline: Number(digits), bytes: item.subarray(end + 1) };
}

/** Throws on an invalid request. */
export function readRequest(bytes: Buffer): RequestFrame {
  const frame = decodeFrame<unknown>(bytes);
  if (!isRequest(frame)) throw new Error('a request that is not a frame');
  return frame;
}

function isRequest(value: unknown): value is RequestFrame {
  return isRecord(value) && texts.every((name) => typeof value[name] === 'string');
}
