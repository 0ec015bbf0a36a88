import { type FastifyInstance } from 'fastify';
import { isPrepared } from '../prepared/prepared-route.js';
import { doWork } from '../http/requests/work-of-request.js';
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
    // A 304 has the headers that choose between the forms of its answer (RFC 9110, 15.4.5).
    if (reply.statusCode === 304) void reply.header('vary', 'accept-encoding');
    const isFinished = isPrepared(request) || reply.hasHeader('content-encoding');
    if (!Buffer.isBuffer(bytes) || isFinished) return done(null, payload);
    void reply.header('vary', 'accept-encoding');
    if (bytes.length < bytesMin || bytes.length > bytesMax) return done(null, payload);
    const encoding = encodingFor(request.headers['accept-encoding']);
    if (encoding === null) return done(null, payload);
    const compressed = doWork(request, () => encoding.compress(bytes));
    void reply.header('content-encoding', encoding.name).header('content-length', compressed.length);
    done(null, compressed);
  });
}
