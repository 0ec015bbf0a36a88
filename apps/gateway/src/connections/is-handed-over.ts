import { type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Whether the kernel has taken the whole answer although Node has not said so yet. Node writes an empty piece behind each
 * answer, and libuv waits with it until a third of the send buffer is free: for a client that reads slowly that may take as
 * long as reading megabytes. Only the handle knows (no public property does); over TLS it does not, so there the answer counts
 * as not handed over.
 */
export function isHandedOver(response: ServerResponse, socket: Socket): boolean {
  if (!response.writableEnded || socket.destroyed || socket instanceof TLSSocket) return false;
  const handle: unknown = Reflect.get(socket, '_handle');
  const state: unknown = Reflect.get(socket, '_writableState');
  return (
    hasQueue(handle) && handle.writeQueueSize === 0 && hasBuffer(state) && state.getBuffer().length === 0
  );
}

function hasQueue(handle: unknown): handle is { readonly writeQueueSize: number } {
  return typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle;
}

/** The pieces that have not been passed to the handle yet. */
function hasBuffer(state: unknown): state is { getBuffer(): readonly unknown[] } {
  return typeof state === 'object' && state !== null && 'getBuffer' in state;
}
