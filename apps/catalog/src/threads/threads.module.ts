import { type DynamicModule, Module } from '@nestjs/common';
import { BackgroundWork } from './background-work.js';

/** Injects the URL of a compiled file in the folder `src` of the catalog: a thread runs no sources. */
export const COMPILED = Symbol('COMPILED');

/** The code URL for threads, and the queue of background work. */
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
