import { errorCodes, type ErrorPayload, isRecord } from '@app/contracts';
import { decodeFrame, replyBytesMax, type ReplyFrame } from './frame.js';

/** Bytes that are no reply. `id`: of the request that they answer all the same, where that can be told. */
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

/** What was published to the channel of a client, which anybody who reaches Redis may do. Throws `MalformedReply`. */
export function readReply(bytes: Buffer): ReplyFrame {
  if (bytes.length > replyBytesMax) throw new MalformedReply(`a reply of ${bytes.length} bytes`);
  const frame = decode(bytes);
  if (!isRecord(frame) || typeof frame.id !== 'string') throw new MalformedReply('a reply without an id');
  const { id } = frame;
  if ('error' in frame) {
    if (isErrorPayload(frame.error)) return { id, error: frame.error };
    throw new MalformedReply('a reply with an error that is none', id);
  }
  if ('data' in frame) return { id, data: frame.data };
  throw new MalformedReply('a reply with neither data nor an error', id);
}

function decode(bytes: Buffer): unknown {
  try {
    return decodeFrame<unknown>(bytes);
  } catch (error) {
    throw new MalformedReply('a reply that is no frame', undefined, error);
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
