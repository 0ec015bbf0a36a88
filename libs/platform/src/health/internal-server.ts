import { fastify, type FastifyInstance } from 'fastify';
import { metricsText } from '../metrics/metrics.js';

/** Answers "can this replica do its job now?"; raises, or gives the reason, when it can't. */
export type ReadinessCheck = () => Promise<string | null>;

interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** What else an operator wants to see beside the checks; decides nothing. */
  readonly details?: () => Promise<Readonly<Record<string, unknown>>>;
}

const checkTimeoutMs = 1_000;

/**
 * The internal port of a service: `/health/live` (the event loop turns), `/health/ready` (200, or 503 with the reason
 * of each failing check) and `/metrics`. Never made public.
 */
export async function startInternalServer(options: InternalServerOptions): Promise<FastifyInstance> {
  const server = fastify({ logger: false });
  server.get('/health/live', () => ({ status: 'ok' }));
  server.get('/health/ready', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(options.checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
    );
    const ready = results.every(([, problem]) => problem === null);
    const checks = Object.fromEntries(results.map(([name, problem]) => [name, problem ?? 'ok']));
    const details = await options.details?.();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', checks, ...details });
  });
  server.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metricsText();
    return reply.type(contentType).send(text);
  });
  await server.listen({ host: options.host, port: options.port });
  return server;
}

async function runCheck(check: ReadinessCheck): Promise<string | null> {
  const abandoned = new AbortController();
  const timeout = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(`no answer within ${checkTimeoutMs} ms`), checkTimeoutMs);
    abandoned.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  try {
    return await Promise.race([check(), timeout]);
  } catch (error) {
    return error instanceof Error ? error.message : 'failed';
  } finally {
    abandoned.abort();
  }
}
