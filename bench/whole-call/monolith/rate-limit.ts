/** An exact limit: so many admissions of one key in any window. */
export class RateLimit {
  private readonly admissions = new Map<string, number[]>();

  constructor(
    private readonly calls: number,
    private readonly windowMs: number,
  ) {}

  /** Whether a call at this time is admitted; times never run backwards. */
  admit(key: string, nowMs: number): boolean {
    const times = this.admissions.get(key) ?? [];
    this.admissions.set(key, times);
    while (times[0] !== undefined && times[0] <= nowMs - this.windowMs) times.shift();
    if (times.length >= this.calls) return false;
    times.push(nowMs);
    return true;
  }
}
