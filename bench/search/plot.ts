import { type EngineResult } from './measure.js';

const width = 640;
const height = 400;
const margin = { left: 70, right: 130, top: 40, bottom: 50 };
const colours = ['#0b6e4f', '#c0392b', '#2c5aa0', '#8e5ea2'];

/** Median time over the catalog's size, both logarithmic, a line for each engine. */
export function plotGrowth(results: readonly EngineResult[]): string {
  const engines = [...new Set(results.map(({ engine }) => engine))];
  const sizes = results.map(({ creators }) => Math.log10(creators));
  const times = results.map(({ p50Ms }) => Math.log10(p50Ms));
  const x = scale([Math.min(...sizes), Math.max(...sizes)], [margin.left, width - margin.right]);
  const y = scale(
    [Math.floor(Math.min(...times)), Math.ceil(Math.max(...times))],
    [height - margin.bottom, margin.top],
  );
  const grid = decades(times).map(
    (decade) =>
      `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(decade)}" y2="${y(decade)}" stroke="#ddd"/>` +
      `<text x="${margin.left - 8}" y="${y(decade) + 4}" text-anchor="end">${10 ** decade} ms</text>`,
  );
  const ticks = [...new Set(results.map(({ creators }) => creators))].map(
    (creators) =>
      `<text x="${x(Math.log10(creators))}" y="${height - margin.bottom + 20}" text-anchor="middle">${creators.toLocaleString('en')}</text>`,
  );
  const lines = engines.map((engine, index) => {
    const points = results
      .filter((result) => result.engine === engine)
      .map(({ creators, p50Ms }) => [x(Math.log10(creators)), y(Math.log10(p50Ms))] as const);
    const colour = colours[index % colours.length];
    const [endX, endY] = points.at(-1) ?? [0, 0];
    return (
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map(([px, py]) => `${px},${py}`).join(' ')}"/>` +
      points.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${colour}"/>`).join('') +
      `<text x="${endX + 8}" y="${endY + 4}" fill="${colour}">${engine}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${margin.left}" y="22" font-size="14">Median search over the mix, by creators in the catalog</text>`,
    ...grid,
    ...ticks,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

function scale(from: readonly [number, number], to: readonly [number, number]): (value: number) => number {
  const span = from[1] - from[0] || 1;
  return (value) => Math.round((to[0] + ((value - from[0]) / span) * (to[1] - to[0])) * 10) / 10;
}

function decades(times: readonly number[]): number[] {
  const first = Math.floor(Math.min(...times));
  return Array.from({ length: Math.ceil(Math.max(...times)) - first + 1 }, (_, index) => first + index);
}
