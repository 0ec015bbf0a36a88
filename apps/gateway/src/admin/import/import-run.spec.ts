import * as fc from 'fast-check';
import { type ImportReport } from '#contracts';
import { addReports, rejectedLine } from './import-run.js';

function reportWith(lines: number[]): ImportReport {
  return {
    received: 1_000,
    created: 900 - lines.length,
    updated: 60,
    unchanged: 40,
    removed: 0,
    rejected: lines.length,
    errors: lines.map((line) => ({ line, error: `error of ${line}` })),
    reasons: lines.length === 0 ? [] : [{ reason: 'error of', lines: lines.length }],
    unknown_names: [],
    removed_lines: [],
  };
}

describe('the report of an import', () => {
  it('adds up those of its chunks, with the lines rejected and removed', () => {
    const removed_lines = [{ line: 1_002, reason: 'removed' }];
    const rejected = rejectedLine(1_001, 'the line is too long');
    const removed = { ...reportWith([]), removed: 1, removed_lines };
    expect([rejected, removed, reportWith([3])].reduce(addReports)).toMatchObject({
      received: 2_001,
      removed: 1,
      rejected: 2,
      errors: [{ line: 3 }, { line: 1_001, error: 'the line is too long' }],
      removed_lines,
    });
  });

  it('keeps the first 100 errors by line, in whatever order the reports come', () => {
    const chunks = [0, 1, 2, 3].map((chunk) =>
      reportWith(Array.from({ length: 40 }, (_, index) => chunk * 1_000 + index * 7 + 1)),
    );
    const expected = chunks.flatMap((chunk) => chunk.errors.map((error) => error.line)).slice(0, 100);
    fc.assert(
      fc.property(fc.shuffledSubarray(chunks, { minLength: 4 }), (shuffled) => {
        const { errors, rejected } = shuffled.reduce(addReports);
        expect(errors.map((error) => error.line)).toEqual(expected);
        expect(rejected).toBe(160);
      }),
    );
  });
});
