import { type Socket } from 'node:net';

/** How long a client may still be reading, ms: closing earlier could discard on the way what it was sent last. */
const readingMs = 5_000;

/** Ends a connection, with `last` as the last bytes: soon for good, whatever its client still sends. */
export function hangUp(socket: Socket, last = ''): void {
  const timer = setTimeout(() => socket.destroy(), readingMs).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(last);
}
