import { type ImportReport } from '#contracts';
import { formatCount, formatInteger, formatSeconds } from './format.js';
import { fields } from './table.js';

const errorsShownMax = 10;

/** The counts of the report, and its first errors. */
export function showReport(report: ImportReport, elapsedMs: number): string {
  const perSecond = Math.round(report.received / (Math.max(elapsedMs, 1) / 1_000));
  const { removed = 0 } = report;
  const counts = [
    ...(['created', 'updated', 'unchanged', 'rejected'] as const).map(
      (name) => [`  ${report.dry_run ? 'would be ' : ''}${name}`, formatInteger(report[name])] as const,
    ),
    ...(removed > 0 ? [['  left out: removed', formatInteger(removed)] as const] : []),
  ];
  const head = `${formatCount(report.received, 'line')} in ${formatSeconds(elapsedMs)} (${formatInteger(perSecond)} lines/s)`;
  return `${report.dry_run ? 'Dry run, nothing is stored: ' : ''}${head}\n${fields(counts)}${showRemoved(report)}${showErrors(report)}`;
}

function showErrors({ errors, rejected }: ImportReport): string {
  return showLines(
    'Rejected',
    errors.map(({ line, error }) => [line, error]),
    rejected,
  );
}

function showRemoved({ removed_lines, removed }: ImportReport): string {
  return showLines(
    'Left out, nothing to correct',
    removed_lines.map(({ line, reason }) => [line, reason]),
    removed,
  );
}

function showLines(title: string, found: readonly (readonly [number, string])[], count: number): string {
  if (found.length === 0) return '';
  const shown = found.slice(0, errorsShownMax);
  const lines = shown.map(([line, why]) => `  line ${formatInteger(line)}: ${why}`);
  const rest = count - shown.length;
  const more = rest > 0 ? [`  and ${formatInteger(rest)} more (--json lists the first 100)`] : [];
  return `\n\n${title}:\n${[...lines, ...more].join('\n')}`;
}
