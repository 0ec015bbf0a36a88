import { ServiceError } from '#contracts';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Readable } from 'node:stream';

export const ndjsonType = 'application/x-ndjson';
const lineTypes: ReadonlySet<string> = new Set([
  ndjsonType,
  'application/ndjson',
  'application/jsonl',
  'application/json',
  'application/json-lines',
  'text/plain',
  'application/octet-stream',
]);

/**
 * Passes the body of the route `url` to its handler as a stream without a size limit, for each content type in use for
 * NDJSON. All other routes keep their parsers and limit.
 */
export function streamNdjsonBody(server: FastifyInstance, url: string): void {
  server.addContentTypeParser(ndjsonType, (request, payload, done) => {
    if (request.routeOptions.url === url) done(null, payload);
    else done(unsupportedType('application/json'));
  });
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url === url) treatAsLines(request);
    done();
  });
}

/**
 * The bytes of a request. Leaving the loop early keeps the connection open for the answer and discards the rest of the
 * body as it arrives: a client that is blocked in writing would never read the answer.
 */
export async function* bytesOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    body.resume();
  }
}

const asLines = 'send one JSON object per line (NDJSON)';

/** How files begin that are certainly not NDJSON: four bytes in hexadecimal, a space and the text; and what to do with them. */
const otherFormats: readonly (readonly [start: RegExp, sentence: string])[] = [
  [/^1f8b/, 'The file is compressed with gzip; send it decompressed: `gunzip -c file.gz`.'],
  [/^504b0[35]/, 'The file is a ZIP archive or an Excel workbook (XLSX); save its data as CSV.'],
  [/^(?:fffe|feff)/, 'The file is in UTF-16; send it in UTF-8: `iconv -f UTF-16 -t UTF-8 file`.'],
  [/^\S* \s*\[\s*[{[\]]/, `The file is a JSON array; ${asLines}: \`jq -c '.[]' file.json\`.`],
  [
    /^\S* \s*\{\s*\n\s*"/,
    `The file is JSON with objects that span several lines; ${asLines}: \`jq -c . file.json\`.`,
  ],
  [
    /^\S* [^{[\n]*[,;\t][^{[\n]*\n/,
    'The file looks like CSV; import it with the command line, see `npm run cli -- creators import --help`.',
  ],
];

/**
 * Passes the bytes on unchanged, unless they begin as another format does: `invalid_request`, before anything is passed on. What is
 * not recognised is left to be reported line by line.
 */
export async function* refuseOtherFormats(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isStart = true;
  for await (const bytes of source) {
    if (isStart) assertMayBeLines(`${bytes.toString('hex', 0, 4)} ${bytes.toString('utf8', 0, startBytes)}`);
    isStart = false;
    yield bytes;
  }
}

const startBytes = 4_096;

function assertMayBeLines(start: string): void {
  const [, problem] = otherFormats.find(([format]) => format.test(start)) ?? [];
  if (problem === undefined) return;
  throw new ServiceError('invalid_request', problem, { details: { body: [problem] } });
}

function treatAsLines({ headers }: FastifyRequest): void {
  const [type = ''] = (headers['content-type'] ?? ndjsonType).split(';');
  if (!lineTypes.has(type.trim().toLowerCase())) throw unsupportedType(ndjsonType);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new ServiceError(
      'unsupported_media_type',
      'A compressed body is not supported; send plain NDJSON.',
    );
  }
  headers['content-type'] = ndjsonType;
}

function unsupportedType(expected: string): ServiceError {
  return new ServiceError('unsupported_media_type', `The body must be sent with Content-Type: ${expected}.`);
}
