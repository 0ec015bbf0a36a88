import { Global, Inject, Module } from '@nestjs/common';
import { InternalServer } from '../internal-server/internal-server.js';
import { InternalServerModule } from '../internal-server/internal-server.module.js';
import { answerAll, runChecks } from './answer-in-time.js';
import { HealthChecks } from './health-checks.js';

/**
 * Health on the internal port: `/health/live` (the event loop runs, and each liveness check passes) and `/health/ready`
 * (200, or 503 with the reason of each failing check). Other modules add their checks to `HealthChecks`.
 */
@Global()
@Module({ imports: [InternalServerModule], providers: [HealthChecks], exports: [HealthChecks] })
export class HealthModule {
  constructor(@Inject(InternalServer) server: InternalServer, @Inject(HealthChecks) checks: HealthChecks) {
    server.answer('/health/live', async (reply) => {
      const { isGood, ...health } = await runChecks(checks.live);
      return reply.code(isGood ? 200 : 503).send(health);
    });
    server.answer('/health/ready', async (reply) => {
      const [{ isGood, ...health }, details] = await Promise.all([
        runChecks(checks.ready),
        answerAll(checks.details),
      ]);
      return reply.code(isGood ? 200 : 503).send({ ...health, ...details });
    });
  }
}
