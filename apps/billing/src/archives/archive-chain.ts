import { createHash } from 'node:crypto';
import { type ArchiveFacts, ArchiveReader } from './archive-files.js';
import { type LotsByAccount, type RecordedArchive } from './archive-records.js';
import { MonthCheck, type MonthProblem } from './month-check.js';

/** What an archive turned out to be when all of it was read. */
export interface ReadArchive {
  readonly facts: ArchiveFacts;
  readonly carried: LotsByAccount;
  readonly problems: readonly MonthProblem[];
}

/**
 * Reads a whole archive and checks the rules of the ledger on it, from what the lots had before. Holds a block at a time, and calls
 * `onBlock` after each with the number of entries until then; what that throws ends the reading. Throws for a file or an index
 * that can't be read.
 */
export async function readArchive(
  directory: string,
  { month }: Pick<ArchiveFacts, 'month'>,
  carried: LotsByAccount,
  onBlock?: (entries: number) => void,
): Promise<ReadArchive> {
  const archive = await ArchiveReader.open(directory, month);
  try {
    const [blocks, check] = [archive.blocks(), new MonthCheck(month, carried)];
    for (;;) {
      const { done, value } = await blocks.next();
      if (done) {
        const after = check.end();
        return {
          facts: { month, entries: check.entries, ...value },
          carried: after,
          problems: check.problems,
        };
      }
      for (const entry of value) check.add(entry);
      onBlock?.(check.entries);
    }
  } finally {
    await archive.close();
  }
}

/** The hash of an archive together with all before it. `previous`: that of the month before; empty for the first. */
export function chainHashOf(previous: string, { month, entries, bytes, sha256 }: ArchiveFacts): string {
  return createHash('sha256').update([previous, month, entries, bytes, sha256].join(' ')).digest('hex');
}

/** What differs between an archive and its record; empty when they agree. */
export function differences(recorded: RecordedArchive, found: ArchiveFacts, previous: string): string[] {
  const { chainHash, ...facts } = recorded;
  const fields = ['entries', 'bytes', 'sha256'] as const;
  return [
    ...fields
      .filter((field) => facts[field] !== found[field])
      .map((field) => `${field} of the file: ${found[field]}, on record: ${facts[field]}`),
    ...(chainHashOf(previous, facts) === chainHash
      ? []
      : ['the record does not follow from the month before']),
  ];
}
