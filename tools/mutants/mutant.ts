import { type Fault } from './planting/fault.js';

/** A fault that somebody could put into the code that charges. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly fault: Fault;
  /** Specs. A test of theirs, which fails with the fault and passes without it, is the proof that it would not go unnoticed. */
  readonly killedBy: readonly string[];
  /** Narrows them to the tests with this name, where the others would only wait for what the fault keeps from coming. */
  readonly test?: string;
}
