import { type DynamicModule, Module } from '@nestjs/common';

/** Injects what the environment said: the validated configuration of this service. */
export const CONFIG = Symbol('CONFIG');

/** The configuration, read and checked before anything starts, for every module of the application. */
@Module({})
export class ConfigModule {
  static forRoot(config: object): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
  }
}
