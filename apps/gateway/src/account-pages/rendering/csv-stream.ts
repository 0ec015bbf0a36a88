import { Readable } from 'node:stream';
import { type FastifyReply } from 'fastify';
import { type CsvFile } from '../view/page.js';

/** The body of a download, which a browser saves under its name; its type and name are set on the reply. */
export function csvStream({ name, pieces }: CsvFile, reply: FastifyReply): Readable {
  void reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`);
  return Readable.from(pieces);
}
