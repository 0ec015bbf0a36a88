import { type ErrorPayload, WithBytes } from '@app/contracts';

/** A request in a queue. */
export interface RequestFrame {
  /** The same on a resend. */
  readonly id: string;
  readonly pattern: string;
  readonly replyTo: string;
  readonly requestId: string;
  readonly traceparent?: string;
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
