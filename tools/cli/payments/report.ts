import { printable, table, type Column } from '../output/table.js';
import { type Session } from '../session.js';
import { withoutSecrets } from './blank.js';
import { type StepName } from './check-options.js';

export type Verdict = 'ok' | 'differs' | 'not possible';

/** One result of the check. */
export interface Finding {
  readonly step: StepName;
  readonly what: string;
  readonly verdict: Verdict;
  /** The result, or its consequence. */
  readonly detail: string;
  /** What the operator can do; `null`: nothing. */
  readonly advice: string | null;
}

const titles: Readonly<Record<StepName, string>> = {
  permissions: 'Rights of the key',
  account: 'The account',
  webhook: 'The webhook endpoint',
  buy: 'A purchase',
  tax: 'Tax',
  invoice: 'The invoice',
  refund: 'A refund of half the payment',
  dispute: 'A dispute',
  delayed: 'A delayed payment',
};

/** Prints each finding as soon as it is known, or all of them as JSON at the end. */
export class Report {
  private readonly all: Finding[] = [];
  private current: StepName = 'permissions';

  constructor(private readonly session: Session) {}

  get findings(): readonly Finding[] {
    return this.all;
  }

  get differences(): readonly Finding[] {
    return this.all.filter(({ verdict }) => verdict === 'differs');
  }

  begin(step: StepName): void {
    this.current = step;
    this.say(`\n${titles[step]}`);
  }

  ok(what: string, detail = ''): void {
    this.add({ what, verdict: 'ok', detail, advice: null });
  }

  /** The account behaves differently from what billing expects; `detail` has the consequence. */
  differs(what: string, detail: string, advice: string | null = null): void {
    this.add({ what, verdict: 'differs', detail, advice });
  }

  /** It could not be tested; `detail` says why. */
  notPossible(what: string, detail: string, advice: string | null = null): void {
    this.add({ what, verdict: 'not possible', detail, advice });
  }

  /** Reports `expected` as ok and anything else as a difference. */
  compare(what: string, { found, expected, without }: Comparison): void {
    if (found === expected) this.ok(what, String(found));
    else this.differs(what, `${String(found)}, not ${String(expected)}: ${without}`);
  }

  /** Prints text that is no finding, outside of the JSON. */
  say(text: string): void {
    if (this.session.json) this.session.note(text);
    else this.session.io.stdout.write(`${text}\n`);
  }

  /** The end of the report: what differs, in one place. */
  end(): void {
    if (this.session.json) this.session.print({ findings: this.all }, () => '');
    else this.say(`\n${this.summary()}`);
  }

  private summary(): string {
    const { differences } = this;
    const open = this.all.filter(({ verdict }) => verdict === 'not possible').length;
    const unknown = open === 0 ? '' : ` ${open} could not be tested: see above.`;
    if (differences.length === 0) return `The account behaves as billing expects.${unknown}`;
    return `Differences:\n${table(summaryColumns, differences)}\n${unknown.trim()}`.trimEnd();
  }

  private add(finding: Omit<Finding, 'step'>): void {
    const { what, verdict, advice } = finding;
    const detail = withoutSecrets(finding.detail);
    this.all.push({ ...finding, detail, step: this.current });
    this.say(`  ${verdict.padEnd(12)}  ${what}${detail === '' ? '' : `: ${printable(detail)}`}`);
    if (advice !== null) this.say(`${' '.repeat(16)}${advice}`);
  }
}

interface Comparison {
  readonly found: string | number | boolean | null | undefined;
  readonly expected: string | number | boolean;
  /** What follows when it is something else. */
  readonly without: string;
}

const summaryColumns: Column<Finding>[] = [
  { title: 'FINDING', value: ({ what }) => what },
  { title: 'CONSEQUENCE', value: ({ detail }) => detail },
];
