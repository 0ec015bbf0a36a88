import { formatNumber } from '../view/format.js';

export interface Series {
  readonly name: string;
  /** One for each bar. */
  readonly values: readonly number[];
}

interface BarChartProps {
  /** What it shows, for screen readers; the same figures are in a table. */
  readonly label: string;
  /** The names of the bars. */
  readonly bars: readonly string[];
  /** At most `seriesMax`, from the bottom up. */
  readonly series: readonly Series[];
}

/** Told apart by lightness (charts.css). */
export const seriesMax = 6;

const height = 160;
const labelHeight = 22;
const labelsMax = 4;
/** The share of its slot that a bar fills. */
const barShare = 0.7;

/** Stacked bars: widths in percent and heights in pixels, so that it fits any width. A bar shows its figures under the pointer. */
export function BarChart({ label, bars, series }: BarChartProps) {
  const stacks = bars.map((_, index) => stackOf(series, index));
  const top = roundUp(Math.max(...stacks.map((stack) => stack.at(-1)?.end ?? 0)));
  const slot = 100 / bars.length;
  const labelEvery = Math.ceil(bars.length / labelsMax);
  return (
    <figure class="chart">
      <p class="hint">{formatNumber(top)}</p>
      <svg width="100%" height={height + labelHeight} role="img" aria-label={label}>
        {stacks.map((stack, index) => (
          <g key={index}>
            <title>{`${bars[index]}: ${stack.map(({ figure }) => figure).join(', ')}`}</title>
            <rect class="slot" x={`${slot * index}%`} width={`${slot}%`} height={height} />
            {stack.map(
              ({ value, end }, position) =>
                value > 0 && (
                  <rect
                    key={position}
                    class={`series-${position}`}
                    x={`${slot * (index + (1 - barShare) / 2)}%`}
                    width={`${slot * barShare}%`}
                    y={height - (end / top) * height}
                    height={(value / top) * height}
                  />
                ),
            )}
            {index % labelEvery === 0 && (
              <text x={`${slot * index}%`} y={height + 16}>
                {bars[index]}
              </text>
            )}
          </g>
        ))}
        <line x2="100%" y1={height} y2={height} />
      </svg>
      <p class="group hint">
        {series.map(({ name }, position) => (
          <span key={name}>
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" class={`series-${position}`} />
            </svg>{' '}
            {name}
          </span>
        ))}
      </p>
    </figure>
  );
}

/** The values of one bar from the bottom up: each as a number, in words, and the sum up to it. */
function stackOf(series: readonly Series[], index: number) {
  let end = 0;
  return series.map(({ name, values }) => {
    const value = values[index] ?? 0;
    end += value;
    return { value, figure: `${name} ${formatNumber(value)}`, end };
  });
}

/** The first number from `value` on that has only zeros after its first digit. */
function roundUp(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return Math.max(1, Math.ceil(value / magnitude)) * magnitude;
}
