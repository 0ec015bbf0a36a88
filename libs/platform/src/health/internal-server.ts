import { fastify, type FastifyInstance } from 'fastify';

/** Answers "can this replica do its job now?"; raises, or gives the reason, when it can't. */
export type ReadinessCheck = () => Promise<string | null>;

interface InternalServerOptions {
  readonly host: string;
  readonly port: number;
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
}

const checkTimeoutMs = 1_000;

/**
 * The internal port of a service: `/health/live` (the event loop turns) and `/health/ready` (200, or 503 with the reason
 * of each failing check). Never made public.
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
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', checks });
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
