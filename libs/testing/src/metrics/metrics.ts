type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** The metrics of one process, as Prometheus would read them. */
export class Metrics {
  private readonly samples: readonly Sample[];

  private constructor(readonly text: string) {
    this.samples = text.split('\n').flatMap((row) => {
      const [, name = '', labels = '', value = ''] = line.exec(row) ?? [];
      return name === '' ? [] : [{ name, labels: labelsOf(labels), value: Number(value) }];
    });
  }

  static async of(internalUrl: string): Promise<Metrics> {
    const response = await fetch(`${internalUrl}/metrics`);
    if (!response.ok) throw new Error(`metrics were answered with ${response.status}`);
    return new Metrics(await response.text());
  }

  /** The sum over every series with this name and these labels. */
  sum(name: string, labels: Labels = {}): number {
    return this.matching(name, labels).reduce((sum, { value }) => sum + value, 0);
  }

  /** Number of series, with one name or in total. */
  series(name?: string): number {
    return name === undefined ? this.samples.length : this.matching(name, {}).length;
  }

  /** Whether there is a series with this name and these labels. */
  has(name: string, labels: Labels = {}): boolean {
    return this.matching(name, labels).length > 0;
  }

  private matching(name: string, labels: Labels): Sample[] {
    return this.samples.filter(
      (sample) =>
        sample.name === `creator_search_${name}` &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  }
}

function labelsOf(text: string): Labels {
  const pairs = [...text.matchAll(/(\w+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value] as const));
}
