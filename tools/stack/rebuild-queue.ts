/**
 * Runs one rebuild at a time, after `quietMs` without a change. A change during a rebuild triggers another one, because
 * the rebuild may have read the file before.
 */
export class RebuildQueue {
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private changed = false;

  constructor(
    private readonly quietMs: number,
    /** Never rejects. */
    private readonly rebuild: () => Promise<void>,
  ) {}

  change(): void {
    this.changed = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), this.quietMs);
  }

  stop(): void {
    this.changed = false;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.changed) {
      this.changed = false;
      await this.rebuild();
    }
    this.running = false;
  }
}
