import { type ImportReport } from '@app/contracts';
import { formatCount, formatInteger, formatSeconds } from './format.js';
import { fields } from './table.js';

const errorsShownMax = 10;

/** The counts of the report, and its first errors. */
export function showReport(report: ImportReport, elapsedMs: number): string {
  const perSecond = Math.round(report.received / (Math.max(elapsedMs, 1) / 1_000));
  const counts = (['created', 'updated', 'unchanged', 'rejected'] as const).map(
    (name) => [`  ${report.dry_run ? 'would be ' : ''}${name}`, formatInteger(report[name])] as const,
  );
  const head = `${formatCount(report.received, 'line')} in ${formatSeconds(elapsedMs)} (${formatInteger(perSecond)} lines/s)`;
  return `${report.dry_run ? 'Dry run, nothing is stored: ' : ''}${head}\n${fields(counts)}${showErrors(report)}`;
}

function showErrors({ errors, rejected }: ImportReport): string {
  if (errors.length === 0) return '';
  const shown = errors.slice(0, errorsShownMax);
  const lines = shown.map(({ line, error }) => `  line ${formatInteger(line)}: ${error}`);
  const rest = rejected - shown.length;
  const more = rest > 0 ? [`  and ${formatInteger(rest)} more (--json lists the first 100)`] : [];
  return `\n\nRejected:\n${[...lines, ...more].join('\n')}`;
}
