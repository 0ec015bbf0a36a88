import { type FastifyInstance, type FastifyReply } from 'fastify';
import { encodingFor } from './encodings.js';

/** A smaller answer fits into two packets. */
const bytesMin = 2_048;
/** Compressing blocks the event loop: for a larger answer it would take some milliseconds. */
const bytesMax = 1_048_576;

/**
 * Compresses answers from 2 kB to 1 MB for clients that accept it. In one step, so that an answer still has a length
 * and is handed over whole or not at all.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (!Buffer.isBuffer(bytes) || reply.hasHeader('content-encoding')) return done(null, payload);
    void reply.header('vary', 'accept-encoding');
    if (bytes.length < bytesMin || bytes.length > bytesMax) return done(null, payload);
    const encoding = encodingFor(headerOf(request.headers['accept-encoding']));
    if (encoding === null) return done(null, payload);
    const compressed = encoding.compress(bytes);
    setEncoding(reply, encoding.name, compressed.length);
    done(null, compressed);
  });
}

function setEncoding(reply: FastifyReply, name: string, length: number): void {
  void reply.header('content-encoding', name).header('content-length', length);
}

/** Node joins repeated headers. */
function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join() : value;
}
