import { type StackOptions } from './stack-options.js';

/** Servers for a stack, other than one PostgreSQL and one Redis. */
export interface ServerLayout {
  readonly options: StackOptions;
  stop(): Promise<void>;
}
