import { open, stat, type FileHandle } from 'node:fs/promises';
import {
  importErrorsMax,
  type ImportLineError,
  type ImportReport,
  rejectionReason,
  sumReasons,
} from '#contracts';
import { CliError, messageOf } from '../errors.js';

/** Lines that were rejected before they were sent, to be added to the report of the service. */
export class RejectedLines {
  private count = 0;
  /** The first 100 errors, in line order. */
  private readonly errors: ImportLineError[] = [];

  private readonly reasons = new Map<string, number>();

  /** The reason is what the error says without the cell of its line. */
  add(line: number, error: string, reason = error): void {
    this.count += 1;
    const key = rejectionReason(reason);
    this.reasons.set(key, (this.reasons.get(key) ?? 0) + 1);
    if (this.errors.length < importErrorsMax) this.errors.push({ line, error });
  }

  /** The report as if the service had rejected these lines too. */
  addedTo(report: ImportReport): ImportReport {
    const reasons = [...this.reasons].map(([reason, lines]) => ({ reason, lines }));
    const errors = [...report.errors, ...this.errors].sort((a, b) => a.line - b.line);
    return {
      ...report,
      received: report.received + this.count,
      rejected: report.rejected + this.count,
      errors: errors.slice(0, importErrorsMax),
      reasons: sumReasons([...report.reasons, ...reasons]),
    };
  }
}

/** Opens the file of `--rejected`, which is empty when no line failed; it must not be the one that is read. */
export async function openRejectedFile(name: string, source: string): Promise<FileHandle> {
  if (await isSameFile(name, source)) {
    throw new CliError('--rejected names the file that is imported; name another one.');
  }
  return open(name, 'w').catch((error: unknown) => {
    throw new CliError(`${name} can't be written: ${messageOf(error)}`);
  });
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((name) => stat(name).catch(() => null)));
  return !!first && !!second && first.dev === second.dev && first.ino === second.ino;
}
