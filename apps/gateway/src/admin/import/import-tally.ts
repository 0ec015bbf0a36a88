import { importErrorsMax, type ImportLineError, type ImportReport } from '@app/contracts';

/** Adds up the reports of the chunks of one import, which may come back in any order. */
export class ImportTally {
  private totals = { received: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };
  private errors: ImportLineError[] = [];

  add(report: ImportReport): void {
    const { totals } = this;
    this.totals = {
      received: totals.received + report.received,
      created: totals.created + report.created,
      updated: totals.updated + report.updated,
      unchanged: totals.unchanged + report.unchanged,
      rejected: totals.rejected + report.rejected,
    };
    this.keepFirst(report.errors);
  }

  /** Counts a line that was rejected here, without being sent. */
  reject(line: number, error: string): void {
    this.totals = {
      ...this.totals,
      received: this.totals.received + 1,
      rejected: this.totals.rejected + 1,
    };
    this.keepFirst([{ line, error }]);
  }

  /** The whole import so far; its errors are the first 100 by line. */
  report(): ImportReport {
    return { ...this.totals, errors: this.errors };
  }

  private keepFirst(errors: readonly ImportLineError[]): void {
    if (errors.length === 0) return;
    this.errors = [...this.errors, ...errors].sort((a, b) => a.line - b.line).slice(0, importErrorsMax);
  }
}
