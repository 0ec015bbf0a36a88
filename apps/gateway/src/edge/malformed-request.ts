import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { type FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { Connection, hangUp } from './connections/connection.js';
import { responseHeaders } from './request-checks.js';

interface Answer {
  readonly status: number;
  readonly error: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const malformed: Answer = { status: 400, error: 'This is not a valid HTTP request.' };
const answers: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: 'The request line and headers are too large; send at most 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'The request was not received in time.' },
};
const tunnel: Answer = {
  status: 405,
  error: 'CONNECT is not supported; use GET.',
  headers: { Allow: 'GET' },
};
const expectation: Answer = {
  status: 417,
  error: 'Unsupported Expect header: only 100-continue is accepted.',
};

/**
 * Answers invalid HTTP with our error body and closes the connection: such a request never reaches a route. Earlier
 * requests of the connection are answered first.
 */
export function answerMalformedRequest(
  this: FastifyInstance,
  problem: Error & { code?: string },
  socket: Socket,
): void {
  if (problem.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const answer = rawAnswer(answers[problem.code ?? ''] ?? malformed, this);
  const connection = Connection.of(socket);
  const refuse = (): void => connection.endWith(() => hangUp(socket, answer));
  if (problem.code === 'ERR_HTTP_REQUEST_TIMEOUT') connection.late(refuse);
  else refuse();
}

/** Answers what Node's server would itself refuse without a body: CONNECT and unsupported Expect headers. */
export function handleUnroutedErrors(fastify: FastifyInstance): void {
  const { server } = fastify;
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => socket.end(rawAnswer(tunnel, fastify)));
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(expectation.status, headersOf(expectation, fastify)).end(bodyOf(expectation));
  });
}

function rawAnswer(answer: Answer, fastify: FastifyInstance): string {
  const headers = Object.entries(headersOf(answer, fastify)).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`, ...headers];
  return `${head.join('\r\n')}\r\n\r\n${bodyOf(answer)}`;
}

function headersOf(answer: Answer, { securityHeaders }: FastifyInstance): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(bodyOf(answer))),
    ...responseHeaders,
    ...securityHeaders,
    'x-request-id': uuidv7(),
    Connection: 'close',
    ...answer.headers,
  };
}

function bodyOf({ status, error }: Answer): string {
  return JSON.stringify({ error, ...(status === 400 ? { details: { request: [error] } } : {}) });
}
