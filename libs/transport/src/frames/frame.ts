import { type ErrorPayload, WithBytes } from '@app/contracts';

/** A request as it lies in a queue. */
export interface RequestFrame {
  /** The same on a resend. */
  readonly id: string;
  readonly pattern: string;
  readonly replyTo: string;
  readonly requestId: string;
  readonly traceparent?: string;
  /** Time that the sender gave it when it sent it first; with the deadline it tells how old a request is. */
  readonly budgetMs?: number;
  readonly data: unknown;
}

/** A reply as it is published to the client's channel. */
export type ReplyFrame =
  { readonly id: string; readonly data: unknown } | { readonly id: string; readonly error: ErrorPayload };

/** Larger than any answer: what is larger is neither sent nor read. */
export const replyBytesMax = 64 * 1024 * 1024;

const newline = 0x0a;

/**
 * One line of JSON, then, for a `WithBytes`, the bytes as they are. JSON never holds a raw line feed, so the first one ends
 * the line and tells that bytes follow, even none.
 */
export function encodeFrame(frame: RequestFrame | ReplyFrame): Buffer {
  if (!('data' in frame) || !(frame.data instanceof WithBytes)) return Buffer.from(JSON.stringify(frame));
  const { data } = frame;
  const line = JSON.stringify({ ...frame, data: data.value as unknown });
  return Buffer.concat([Buffer.from(`${line}\n`), data.bytes]);
}

/** The inverse of `encodeFrame`; throws on what is not a frame. */
export function decodeFrame<Frame>(buffer: Buffer): Frame {
  const end = buffer.indexOf(newline);
  if (end === -1) return JSON.parse(buffer.toString()) as Frame;
  const frame = JSON.parse(buffer.toString('utf8', 0, end)) as { data: unknown };
  return { ...frame, data: new WithBytes(frame.data, buffer.subarray(end + 1)) } as Frame;
}
