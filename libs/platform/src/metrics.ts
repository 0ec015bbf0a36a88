import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';

/**
 * The metrics of this process, declared where they are recorded and exposed on `/metrics` of the internal port. Labels
 * have few values, never caller input. Times are in seconds, as Prometheus expects.
 */
const prefix = 'creator_search_';

/** Buckets from a tenth of a millisecond to ten seconds. */
const secondsBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
const sizeBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/**
 * A counter. Give the values of its labels where they are known: then every series is there, at 0, from the start. For a
 * series that appears with its first failure, Prometheus sees no increase.
 */
export function counter<Label extends string = never>(
  name: string,
  help: string,
  labels: readonly Label[] | Readonly<Record<Label, readonly string[]>> = [],
): Counter<Label> {
  const isOfNames = (given: typeof labels): given is readonly Label[] => Array.isArray(given);
  if (isOfNames(labels)) return new Counter({ name: prefix + name, help, labelNames: [...labels] });
  const values = Object.entries<readonly string[]>(labels);
  const created = new Counter<Label>({
    name: prefix + name,
    help,
    labelNames: values.map(([label]) => label as Label),
  });
  for (const series of combinations(values)) created.inc(series, 0);
  return created;
}

function combinations<Label extends string>(
  values: readonly (readonly [string, readonly string[]])[],
): Partial<Record<Label, string>>[] {
  return values.reduce<Partial<Record<Label, string>>[]>(
    (found, [label, options]) =>
      found.flatMap((one) => options.map((option) => ({ ...one, [label]: option }))),
    [{}],
  );
}

/** A histogram of durations, in seconds. */
export function histogram<Label extends string = never>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Histogram<Label> {
  return new Histogram({ name: prefix + name, help, labelNames: [...labelNames], buckets: secondsBuckets });
}

/** A histogram of sizes. */
export function sizes(name: string, help: string): Histogram {
  return new Histogram({ name: prefix + name, help, buckets: sizeBuckets });
}

/** One value of a gauge, with the values of its labels. */
type Reading = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A value per label; a label without a value is unknown at the moment. */
export type Readings = Readonly<Record<string, number>>;

type Read<Value> = () => Value | undefined | Promise<Value | undefined>;

/**
 * A value read at each scrape; `undefined`: not known yet. A value that can't be read is left out, because the others
 * are needed most then. A scrape waits for the slowest value. A later gauge replaces an earlier one of the same name.
 */
export function gauge(name: string, help: string, read: Read<number>): void {
  series(name, help, [], async () => {
    const value = await read();
    return value === undefined ? [] : [[{}, value]];
  });
}

/** Defines a gauge with one value for each value of a label. */
export function gauges(name: string, help: string, label: string, read: Read<Readings>): void {
  series(name, help, [label], async () =>
    Object.entries((await read()) ?? {}).map(([key, value]) => [{ [label]: key }, value]),
  );
}

/** Defines a gauge with several labels. */
export function series(
  name: string,
  help: string,
  labelNames: string[],
  read: () => readonly Reading[] | Promise<readonly Reading[]>,
): void {
  register.removeSingleMetric(prefix + name);
  new Gauge({
    name: prefix + name,
    help,
    labelNames,
    async collect() {
      this.reset();
      const readings = await Promise.resolve()
        .then(read)
        .catch(() => []);
      for (const [labels, value] of readings) this.set(labels, value);
    },
  });
}

/** All metrics of this process, in the Prometheus text format. */
export async function metricsText(): Promise<{ contentType: string; text: string }> {
  if (!register.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics();
  return { contentType: register.contentType, text: await register.metrics() };
}
