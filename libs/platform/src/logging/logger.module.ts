import { type DynamicModule, Module } from '@nestjs/common';
import { type Logger } from './logger.js';

/** Injects the structured logger of the process. */
export const LOGGER = Symbol('LOGGER');

/** The structured logger, for every module of the application. */
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
