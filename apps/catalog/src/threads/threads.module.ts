import { type DynamicModule, Module } from '@nestjs/common';
import { BackgroundWork } from './background-work.js';

/** Injects the URL of a compiled file in the folder `src` of the catalog: a thread runs no sources. */
export const COMPILED = Symbol('COMPILED');

/** What threads need, and the order of what is not urgent. */
@Module({})
export class ThreadsModule {
  static forRoot(compiled: string): DynamicModule {
    return {
      module: ThreadsModule,
      global: true,
      providers: [BackgroundWork, { provide: COMPILED, useValue: compiled }],
      exports: [BackgroundWork, COMPILED],
    };
  }
}
