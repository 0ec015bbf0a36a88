const height = 24;

interface SparklineProps {
  readonly label: string;
  readonly values: readonly number[];
}

/** Bars without an axis: when much and when little. */
export function Sparkline({ label, values }: SparklineProps) {
  const top = Math.max(...values, 1);
  const place = 100 / values.length;
  return (
    <svg class="sparkline" width="100%" height={height} role="img" aria-label={label}>
      <line x1="0" x2="100%" y1={height - 0.5} y2={height - 0.5} class="axis" />
      {values.map((value, index) => {
        if (value === 0) return null;
        const size = Math.max(2, (value / top) * height);
        return (
          <rect
            key={index}
            x={`${place * index}%`}
            width={`${place * 0.7}%`}
            y={height - size}
            height={size}
          />
        );
      })}
    </svg>
  );
}
