import { STATUS_CODES } from 'node:http';
import { type Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';

const answers: Readonly<Record<string, { status: number; error: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: 'The request line and headers are too large; send at most 16 KiB.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: 'The request did not arrive in time.' },
};
const malformed = { status: 400, error: 'This is not a valid HTTP request.' };

/** Answers what is not HTTP with the body of our errors, and hangs up: such a request never reaches a route. */
export function answerMalformedRequest(problem: Error & { code?: string }, socket: Socket): void {
  if (problem.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, error } = answers[problem.code ?? ''] ?? malformed;
  const details = status === 400 ? { details: { request: [error] } } : {};
  const body = JSON.stringify({ error, ...details });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `x-request-id: ${uuidv7()}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
