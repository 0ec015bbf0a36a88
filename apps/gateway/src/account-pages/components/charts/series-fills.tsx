/** Series look different without their hue: each has its own lightness and pattern (charts.css). */
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
export function fillOf(chartId: string, series: number): string {
  return `url(#${chartId}-series-${series % seriesMax})`;
}

/** Defines the paints of a chart. */
export function SeriesFills({ chartId }: { readonly chartId: string }) {
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
