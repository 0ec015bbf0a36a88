/** A fault that a developer could make in code that takes money, locks or lets people in. */
export interface Fault {
  /** What is then wrong. */
  readonly name: string;
  /** Occurs once in the sources of apps and libs; how it is spaced does not matter. */
  readonly find: string;
  readonly replace: string;
  /** The end of a path: a test of this spec fails with the fault and passes without it. */
  readonly spec: string;
  /** Only tests with this in their name are run, where the others would wait for what the fault prevents. */
  readonly test?: string;
}
