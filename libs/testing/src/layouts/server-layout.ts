import { type StackOptions } from '@app/local-stack';

/** Servers for a stack, other than one PostgreSQL and one Redis. */
export interface ServerLayout {
  readonly options: StackOptions;
  stop(): Promise<void>;
}
