import { Readable } from 'node:stream';
import { type FastifyReply } from 'fastify';

/** Sends pieces of CSV as a file, as they come. */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  pieces: Iterable<string> | AsyncIterable<string>,
): void {
  void reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(pieces));
}
