import { fastify, type FastifyInstance } from 'fastify';
import { metricsText } from '../metrics/metrics.js';
import { type HealthCheck, type HealthChecks } from './health-checks.js';

interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  /** Read at each question: checks may be added at any time. */
  readonly checks: HealthChecks;
}

const answerTimeoutMs = 1_000;

/**
 * The internal port of a service: `/health/live` (the event loop turns, and each live check passes), `/health/ready` (200, or 503 with the reason
 * of each failing check) and `/metrics`. Never made public.
 */
export async function startInternalServer(options: InternalServerOptions): Promise<FastifyInstance> {
  const server = fastify({ logger: false });
  server.get('/health/live', async (_request, reply) => {
    const { isGood, ...health } = await runChecks(options.checks.live);
    return reply.code(isGood ? 200 : 503).send(health);
  });
  server.get('/health/ready', async (_request, reply) => {
    const [{ isGood, ...health }, details] = await Promise.all([
      runChecks(options.checks.ready),
      all(options.checks.details),
    ]);
    return reply.code(isGood ? 200 : 503).send({ ...health, ...details });
  });
  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metricsText();
    return reply.type(contentType).send(text);
  });
  await server.listen({ host: options.host, port: options.port });
  return server;
}

async function runChecks(checks: Readonly<Record<string, HealthCheck>>) {
  const results = await all(checks);
  const isGood = Object.values(results).every((problem) => problem === null);
  return {
    isGood,
    status: isGood ? 'ok' : 'unavailable',
    checks: Object.fromEntries(Object.entries(results).map(([name, problem]) => [name, problem ?? 'ok'])),
  };
}

/** What each gives within a second; the reason when it gives nothing. Whoever asks has little time. */
async function all<Answer>(
  questions: Readonly<Record<string, () => Promise<Answer>>>,
): Promise<Record<string, Answer | string>> {
  const answers = Object.entries(questions).map(
    async ([name, ask]) => [name, await answerInTime(ask)] as const,
  );
  return Object.fromEntries(await Promise.all(answers));
}

async function answerInTime<Answer>(ask: () => Promise<Answer>): Promise<Answer | string> {
  const abandoned = new AbortController();
  const timeout = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(`no answer within ${answerTimeoutMs} ms`), answerTimeoutMs);
    abandoned.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  try {
    return await Promise.race([ask(), timeout]);
  } catch (error) {
    return error instanceof Error ? error.message : 'failed';
  } finally {
    abandoned.abort();
  }
}
