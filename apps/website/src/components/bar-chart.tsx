import { formatNumber } from '../view/format.js';

export interface Series {
  readonly name: string;
  /** One for each bar. */
  readonly values: readonly number[];
}

interface BarChartProps {
  readonly id: string;
  /** What it shows, for screen readers; the same figures are in a table. */
  readonly label: string;
  /** One for each bar. */
  readonly bars: readonly string[];
  /** The labels under the bars; default: their names. */
  readonly marks?: readonly string[];
  readonly series: readonly Series[];
}

const plotTop = 8;
const plotHeight = 150;
const bottom = plotTop + plotHeight;
const labelHeight = 22;
const labelsMax = 5;
/** From this many bars on, they are too narrow for outlines. */
const denseFrom = 31;
/** The share of its slot that a bar fills. */
const barShare = 0.7;

/**
 * Stacked bars. Widths are in percent and heights in pixels, so that it fits any width and its words keep their size. A
 * script shows the figures of the bar under the pointer or chosen with the arrow keys.
 */
export function BarChart({ id, label, bars, marks = bars, series }: BarChartProps) {
  const sums = bars.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const ticks = ticksUpTo(Math.max(...sums, 1));
  const top = ticks.at(-1) ?? 1;
  const heightOf = (value: number): number => (value / top) * plotHeight;
  const place = 100 / bars.length;
  const labelEvery = Math.ceil(bars.length / labelsMax);
  return (
    <figure
      class={bars.length > denseFrom ? 'chart dense' : 'chart'}
      data-chart
      tabIndex={0}
      aria-label={`${label}. Use the left and right arrow keys to go through it.`}
    >
      <div class="chart-row">
        <svg class="chart-scale" width="44" height={bottom + labelHeight} aria-hidden="true">
          {ticks.map((tick) => (
            <text key={tick} x="36" y={bottom - heightOf(tick) + 4}>
              {formatNumber(tick)}
            </text>
          ))}
        </svg>
        <svg class="chart-plot" height={bottom + labelHeight} role="img" aria-label={label}>
          <SeriesFills chartId={id} />
          {ticks.map((tick) => (
            <line
              key={tick}
              class={tick === 0 ? 'axis' : 'grid'}
              x1="0"
              x2="100%"
              y1={bottom - heightOf(tick)}
              y2={bottom - heightOf(tick)}
            />
          ))}
          {bars.map((bar, index) => (
            <Bar
              key={bar}
              {...{ id, bar, index, series, place, heightOf }}
              mark={index % labelEvery === 0 ? marks[index] : undefined}
              isBetween={index % (2 * labelEvery) !== 0}
            />
          ))}
        </svg>
      </div>
      <div class="chart-words">
        <Legend chartId={id} series={series} />
        <p class="chart-detail" aria-live="polite"></p>
      </div>
    </figure>
  );
}

interface BarProps {
  readonly id: string;
  readonly bar: string;
  readonly index: number;
  readonly series: readonly Series[];
  /** Width of its slot, percent. */
  readonly place: number;
  readonly mark: string | undefined;
  /** Every other mark is hidden on narrow screens. */
  readonly isBetween: boolean;
  readonly heightOf: (value: number) => number;
}

function Bar({ id, bar, index, series, place, mark, isBetween, heightOf }: BarProps) {
  const left = `${place * (index + (1 - barShare) / 2)}%`;
  return (
    <g class="bar" data-detail={detailOf(bar, index, series)}>
      <title>{detailOf(bar, index, series)}</title>
      <rect class="place" x={`${place * index}%`} y={plotTop} width={`${place}%`} height={plotHeight} />
      {stack(series, index).map(({ value, below, position }) => (
        <rect
          key={position}
          class="value"
          fill={fillOf(id, position)}
          x={left}
          width={`${place * barShare}%`}
          y={bottom - heightOf(below + value)}
          height={heightOf(value)}
        />
      ))}
      {mark !== undefined && (
        <text
          class={isBetween ? 'mark mark-between' : 'mark'}
          x={`${place * (index + 0.5)}%`}
          y={bottom + 16}
        >
          {mark}
        </text>
      )}
    </g>
  );
}

function Legend({ chartId, series }: { readonly chartId: string; readonly series: readonly Series[] }) {
  if (series.length < 2) return null;
  return (
    <ul class="legend">
      {series.map(({ name }, index) => (
        <li key={name}>
          <svg width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" rx="2" fill={fillOf(chartId, index)} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

interface StackedValue {
  readonly value: number;
  /** The sum of the values below it. */
  readonly below: number;
  /** Of its series. */
  readonly position: number;
}

function stack(series: readonly Series[], index: number): StackedValue[] {
  let below = 0;
  const stacked: StackedValue[] = [];
  for (const [position, { values }] of series.entries()) {
    const value = values[index] ?? 0;
    if (value > 0) stacked.push({ value, below, position });
    below += value;
  }
  return stacked;
}

function detailOf(bar: string, index: number, series: readonly Series[]): string {
  const figures = series.map(({ name, values }) => `${name} ${formatNumber(values[index] ?? 0)}`);
  return `${bar}: ${figures.join(', ')}`;
}

const ticksMax = 4;
const niceSteps = [1, 2, 5];

/** A few round values from 0 up to the first at or above `max`, for an axis of whole numbers. */
function ticksUpTo(max: number): number[] {
  const least = Math.max(1, max / ticksMax);
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const step = niceSteps.map((nice) => nice * magnitude).find((nice) => nice >= least) ?? 10 * magnitude;
  const count = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Series can be told apart without colour: each has its own lightness and pattern (charts.css). */
const patterns = [
  null,
  'M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6',
  null,
  'M4 0 V8',
  'M0 4 H8',
  'M2 2 h2 v2 h-2 z M6 6 h2 v2 h-2 z',
] as const;

export const seriesMax = patterns.length;

/** The paint of a series, counted from 0, in the chart with this id. */
function fillOf(chartId: string, series: number): string {
  return `url(#${chartId}-series-${series % seriesMax})`;
}

/** Defines the paints of a chart. */
function SeriesFills({ chartId }: { readonly chartId: string }) {
  return (
    <defs>
      {patterns.map((path, index) => (
        <pattern
          key={index}
          id={`${chartId}-series-${index}`}
          width="8"
          height="8"
          patternUnits="userSpaceOnUse"
        >
          <rect width="8" height="8" class={`ground-${index}`} />
          {path && <path d={path} class={`lines-${index}`} />}
        </pattern>
      ))}
    </defs>
  );
}
