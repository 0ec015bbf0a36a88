import { type DynamicModule, Module } from '@nestjs/common';
import { OrderlyEnd } from './orderly-end.js';
import { Shutdown } from './shutdown.js';

/**
 * Shuts an application's HTTP server down without losing an answer; the applications of a process share one `Shutdown`.
 */
@Module({})
export class ShutdownModule {
  static forRoot(shutdown: Shutdown): DynamicModule {
    return {
      module: ShutdownModule,
      global: true,
      providers: [{ provide: Shutdown, useValue: shutdown }, OrderlyEnd],
      exports: [Shutdown],
    };
  }
}
