import { ServiceError } from '#contracts';
import { createLogger } from '#platform';
import { type FastifyRequest } from 'fastify';
import { FormCheck } from './form-check.js';

const lines: object[] = [];
const logger = createLogger({ service: 'gateway', level: 'fatal', pretty: false });
logger.warn = (fields: object): void => void lines.push(fields);

function refusal(origin: string, headers: FastifyRequest['headers']): string | null {
  try {
    new FormCheck(origin, logger).assertOrigin({
      id: 'request-1',
      method: 'POST',
      headers,
    } as FastifyRequest);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

it.each(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])(
  'takes forms of this machine by each of its names: %s',
  (origin) => {
    for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000']) {
      expect(refusal(url, { origin })).toBeNull();
    }
    expect(refusal('https://api.example', { origin })).not.toBeNull();
  },
);

it('says where to open the page, and logs both origins, each in part, when the service is reached at another one', () => {
  const words = 'Open http://localhost:3000 and try again there.';
  for (const origin of ['http://127.0.0.1:8080', 'x'.repeat(10_000)]) {
    lines.length = 0;
    expect(refusal('http://localhost:3000', { origin })).toContain(words);
    const logged = { origin: origin.slice(0, 200), expected_origin: 'http://localhost:3000' };
    expect(lines).toEqual([{ request_id: 'request-1', ...logged }]);
  }
});
