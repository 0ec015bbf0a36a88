const labelWidth = 44;

/** Lines for the user at the terminal, and for the process that waits for a detached launcher. */
export class Report {
  private readonly startedAt = performance.now();

  line(text: string): void {
    process.stdout.write(`${text}\n`);
    if (process.connected) process.send?.({ line: text });
  }

  step(label: string, durationMs: number): void {
    this.line(`  ${label.padEnd(labelWidth)} ${seconds(durationMs)}`);
  }

  async timed<Result>(label: (result: Result) => string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await work();
    this.step(label(result), performance.now() - startedAt);
    return result;
  }

  /** An event after the start, with the time of day. */
  event(text: string): void {
    this.line(`${new Date().toTimeString().slice(0, 8)} ${text}`);
  }

  get elapsed(): string {
    return seconds(performance.now() - this.startedAt);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The message of an error, with those of its causes. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\n${explain(error.cause)}`;
  // When several addresses refuse a connection, the error has no message.
  const message =
    error.message || (error instanceof AggregateError ? error.errors.map(explain).join('\n') : '');
  return `${message || error.name}${cause}`;
}
