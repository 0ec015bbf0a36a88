import { type Discrepancy } from '#contracts';

/** Discrepancies, up to a number of them. */
export class Found {
  readonly all: Discrepancy[];

  constructor(
    private readonly max: number,
    before: readonly Discrepancy[] = [],
  ) {
    this.all = before.slice(0, max);
  }

  get room(): number {
    return this.max - this.all.length;
  }

  add(discrepancies: readonly Discrepancy[]): void {
    this.all.push(...discrepancies.slice(0, this.room));
  }
}
