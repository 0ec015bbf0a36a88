import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { platforms, searchFilters, type SearchRequest } from '@app/contracts';
import fastify, { type FastifyReply } from 'fastify';
import { Pool } from 'pg';
import { Creators } from './creators.js';
import { type ApiKey, Keys } from './keys.js';
import { Ledger } from './ledger.js';
import { RateLimit } from './rate-limit.js';

/**
 * The paid calls as one process over one PostgreSQL, as a good engineer would write them in a day. Answers are those of the
 * gateway.
 */
const { DATABASE_URL, PORT, POOL_SIZE } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL, max: Number(POOL_SIZE), options: '-c jit=off' });
const keys = new Keys(pool);
const creators = new Creators(pool);
const ledger = new Ledger(pool);
const searchLimit = new RateLimit(60, 60_000);

const text = { type: 'string', minLength: 1, maxLength: 100 };
const count = { type: 'integer', minimum: 0 };
const searchSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    q: text,
    country: text,
    category: text,
    language: text,
    platform: { enum: platforms },
    min_followers: count,
    max_followers: count,
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
  },
};

const app = fastify({
  genReqId: () => randomUUID(),
  ajv: { customOptions: { removeAdditional: false } },
});

app.setErrorHandler((error: Error & { validation?: unknown }, _, reply) =>
  refuse(reply, error.validation ? 400 : 503, error.message),
);

app.get<{ Querystring: SearchRequest }>(
  '/api/public/v1/search',
  { schema: { querystring: searchSchema } },
  async ({ id, headers, query }, reply) => {
    const key = await keys.find(headers.authorization);
    if (!key) return refuse(reply, 401, 'This API key is not known or not active.');
    if (!searchLimit.admit(key.id, performance.now())) {
      return refuse(reply, 429, 'A key may search 60 times in 60 seconds.');
    }
    const { total, entries } = await creators.search(query);
    const filters = searchFilters.filter((filter) => query[filter] !== undefined);
    const credits = total === 0 ? 0 : 1 + filters.length;
    const call = { key, requestId: id, operation: 'search', credits } as const;
    return pay(reply, call, (paid) => {
      const head = JSON.stringify({ total, returned: entries.length, ...paid });
      return `${head.slice(0, -1)},"creators":[${entries.join(',')}]}`;
    });
  },
);

app.get<{ Params: { slug: string } }>(
  '/api/public/v1/creators/:slug',
  async ({ id, headers, params }, reply) => {
    const key = await keys.find(headers.authorization);
    if (!key) return refuse(reply, 401, 'This API key is not known or not active.');
    const profile = await creators.profile(params.slug);
    if (profile === undefined) return refuse(reply, 404, 'No published creator has this slug.');
    const call = { key, requestId: id, operation: 'profile', credits: 1 } as const;
    return pay(reply, call, (paid) => `${profile.slice(0, -1)},${JSON.stringify(paid).slice(1)}`);
  },
);

app.get('/health', async () => {
  await pool.query('SELECT');
  return {};
});

interface PaidCall {
  readonly key: ApiKey;
  readonly requestId: string;
  readonly operation: 'search' | 'profile';
  readonly credits: number;
}

interface Paid {
  readonly credits_used: number;
  readonly credits_remaining: number;
}

/** Charges for an answer, then sends it. */
async function pay(reply: FastifyReply, call: PaidCall, body: (paid: Paid) => string): Promise<FastifyReply> {
  const { isPaid, remaining } = await ledger.charge(call);
  if (!isPaid) return refuse(reply, 402, 'The balance is lower than the price of the call.');
  return reply
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': call.requestId,
      'x-credits-used': call.credits,
      'x-credits-remaining': remaining,
    })
    .send(body({ credits_used: call.credits, credits_remaining: remaining }));
}

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}

process.once('SIGTERM', () => void app.close().then(() => pool.end()));

await app.listen({ host: '127.0.0.1', port: Number(PORT) });
