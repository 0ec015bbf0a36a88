import { Inject, Module } from '@nestjs/common';
import { InternalServer } from '../internal-server/internal-server.js';
import { InternalServerModule } from '../internal-server/internal-server.module.js';
import { metricsText } from './metrics.js';

/** The metrics of the process, on the internal port under `/metrics`. */
@Module({ imports: [InternalServerModule] })
export class MetricsModule {
  constructor(@Inject(InternalServer) server: InternalServer) {
    server.answer('/metrics', async (reply) => {
      const { contentType, text } = await metricsText();
      return reply.type(contentType).send(text);
    });
  }
}
