import { isRecord } from '@app/contracts';
import { decodeFrame, type RequestFrame } from './frame.js';

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
