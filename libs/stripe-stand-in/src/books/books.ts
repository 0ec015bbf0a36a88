import { type Payments } from './payments.js';
import { type Records } from './records.js';
import { type Returns } from './returns.js';

/** What the stand-in knows, and everything that can happen to it. */
export interface Books {
  readonly records: Records;
  readonly payments: Payments;
  readonly returns: Returns;
}
