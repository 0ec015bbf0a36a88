import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from './logger.js';

/** Injection token of the process's structured logger. */
export const LOGGER = Symbol('LOGGER');

/** Provides the structured logger to every module. */
@Module({})
export class LoggerModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: LoggerModule,
      global: true,
      providers: [{ provide: LOGGER, useValue: logger }],
      exports: [LOGGER],
    };
  }
}
