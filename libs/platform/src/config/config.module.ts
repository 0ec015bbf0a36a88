import { type DynamicModule, Module } from '@nestjs/common';

/** Injection token of the service's validated configuration. */
export const CONFIG = Symbol('CONFIG');

/** Provides the configuration, read and validated before anything starts, to every module. */
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
