import { errorCodes, type ErrorPayload, isRecord } from '@app/contracts';
import { decodeFrame, replyBytesMax, type ReplyFrame } from './frame.js';

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
