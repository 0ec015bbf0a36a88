import { type IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

export const requestIdPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The caller's `x-request-id` when valid, else a generated one. Only a label, neither unique nor trusted. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && requestIdPattern.test(given) ? given : uuidv7();
}
