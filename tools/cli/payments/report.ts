import { table, type Column } from '../output/table.js';
import { type Session } from '../session.js';
import { withoutSecrets } from './blank.js';
import { type StepName } from './check-options.js';

export type Verdict = 'ok' | 'differs' | 'not possible';

/** What the check found out about one matter. */
export interface Finding {
  readonly step: StepName;
  readonly what: string;
  readonly verdict: Verdict;
  /** What it is, or what follows from it. */
  readonly detail: string;
  /** What the operator can do; `null`: nothing. */
  readonly advice: string | null;
}

const titles: Readonly<Record<StepName, string>> = {
  permissions: 'What the key may do',
  account: 'The account',
  webhook: 'The webhook endpoint',
  buy: 'A purchase',
  tax: 'Tax',
  refund: 'A refund of half of it',
  dispute: 'A dispute',
  delayed: 'A payment that takes days',
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

  /** The account does it otherwise than billing expects; `detail` says what follows. */
  differs(what: string, detail: string, advice: string | null = null): void {
    this.add({ what, verdict: 'differs', detail, advice });
  }

  /** It could not be found out; `detail` says why. */
  notPossible(what: string, detail: string, advice: string | null = null): void {
    this.add({ what, verdict: 'not possible', detail, advice });
  }

  /** Reports `expected` as ok and anything else as a difference. */
  compare(what: string, { found, expected, without }: Comparison): void {
    if (found === expected) this.ok(what, String(found));
    else this.differs(what, `${String(found)}, not ${String(expected)}: ${without}`);
  }

  /** Prints something that is no finding; beside the JSON, not in it. */
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
    const unknown = open === 0 ? '' : ` ${open} could not be found out: see above.`;
    if (differences.length === 0) return `Nothing differs from what billing expects.${unknown}`;
    return `What this account does differently:\n${table(summaryColumns, differences)}\n${unknown.trim()}`.trimEnd();
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
  { title: 'WHAT', value: ({ what }) => what },
  { title: 'WHAT FOLLOWS', value: ({ detail }) => detail },
];

/** What an account is called must not control the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
