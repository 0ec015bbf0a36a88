import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client';

/**
 * The metrics of this process, declared where they are recorded and exposed on `/metrics` of the internal port. Labels
 * have few values, never caller input. Times are in seconds, as Prometheus expects.
 */
const prefix = 'creator_search_';

/** From a tenth of a millisecond to ten seconds. */
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

/** A value per label; a label without a value is unknown at the moment. */
export type Readings = Readonly<Record<string, number>>;

type Read<Value> = () => Value | undefined | Promise<Value | undefined>;

/**
 * A value read at each scrape; `undefined`: not known yet. A value that can't be read is left out, because the others
 * are needed most then. A scrape waits for the slowest value. A later gauge replaces an earlier one of the same name.
 */
export function gauge(name: string, help: string, read: Read<number>): void {
  replace(name, help, [], async (metric) => {
    const value = await attempt(read);
    if (value !== undefined) metric.set(value);
  });
}

/** As `gauge`, with one value for each value of a label. */
export function gauges(name: string, help: string, label: string, read: Read<Readings>): void {
  replace(name, help, [label], async (metric) => {
    for (const [key, value] of Object.entries((await attempt(read)) ?? {})) {
      metric.set({ [label]: key }, value);
    }
  });
}

/** As `gauges`, with two labels. */
export function gaugesOfTwo(
  name: string,
  help: string,
  [first, second]: readonly [string, string],
  read: Read<Readonly<Record<string, Readings>>>,
): void {
  replace(name, help, [first, second], async (metric) => {
    for (const [one, readings] of Object.entries((await attempt(read)) ?? {})) {
      for (const [other, value] of Object.entries(readings)) {
        metric.set({ [first]: one, [second]: other }, value);
      }
    }
  });
}

/** A fact about this process, as the labels of a series that is always 1. */
export function info(name: string, help: string, labels: Readonly<Record<string, string>>): void {
  replace(name, help, Object.keys(labels), (metric) => Promise.resolve(metric.set(labels, 1)));
}

async function attempt<Value>(read: Read<Value>): Promise<Value | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}

function replace(
  name: string,
  help: string,
  labelNames: string[],
  read: (metric: Gauge) => Promise<void>,
): void {
  register.removeSingleMetric(prefix + name);
  new Gauge({
    name: prefix + name,
    help,
    labelNames,
    async collect() {
      this.reset();
      await read(this);
    },
  });
}

/** All metrics of this process, in the Prometheus text format. */
export async function metricsText(): Promise<{ contentType: string; text: string }> {
  if (!register.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics();
  return { contentType: register.contentType, text: await register.metrics() };
}
