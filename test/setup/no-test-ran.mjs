/** Reporter of jest that fails a run whose `-t` matches no test's name; jest itself counts that as a success. */
export default class NoTestRan {
  /** @type {Error | undefined} */
  #error;
  #pattern;

  /** @param {{ testNamePattern?: string }} run */
  constructor({ testNamePattern }) {
    this.#pattern = testNamePattern;
  }

  /**
   * @param {unknown} _contexts
   * @param {{ numPassedTests: number, numFailedTests: number, numRuntimeErrorTestSuites: number }} totals
   */
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    if (!this.#pattern || numPassedTests + numFailedTests + numRuntimeErrorTestSuites > 0) return;
    this.#error = new Error(`No test ran: no name of a test matches -t "${this.#pattern}".`);
    process.stderr.write(`\n${this.#error.message}\n`);
  }

  getLastError() {
    return this.#error;
  }
}
