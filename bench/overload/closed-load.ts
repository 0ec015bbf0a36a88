import { performance } from 'node:perf_hooks';
import { type CallerGroup, type ClosedLoad } from './load.js';
import { type Connector } from './connector.js';
import { type Tally } from './tally.js';

/** So many of those who were refused come back per turn of the event loop: the others' answers are read in between. */
const comingBackPerTurn = 32;

/** Callers that each call again as soon as their last call has ended, until a point in time. */
export class ClosedLoadPlayer {
  private readonly comingBack: (() => void)[] = [];
  private callsLeft: number;
  private active = 0;
  private finished: () => void = () => undefined;

  constructor(
    private readonly load: ClosedLoad,
    private readonly connector: Connector,
    private readonly until: number,
  ) {
    this.callsLeft = load.callsMost ?? Infinity;
  }

  /** Resolves when every caller has had the end of its last call; `tallies` are those of the groups. */
  async play(tallies: readonly Tally[]): Promise<void> {
    const finished = new Promise<void>((resolve) => (this.finished = resolve));
    for (const [number, group] of this.load.groups.entries()) this.start(group, tallies[number]);
    await finished;
  }

  private start(group: CallerGroup, tally?: Tally): void {
    const requests = this.connector.requests(group.keys, group.paths);
    let calls = 0;
    for (let caller = 0; caller < group.callers; caller++) {
      const connection = this.connector.connection();
      const call = (): void => {
        if (performance.now() >= this.until || this.callsLeft <= 0) return this.leave();
        this.callsLeft -= 1;
        const number = group.keyFor === 'caller' ? caller : calls++;
        const sentAt = performance.now();
        connection.send(requests(number), (outcome) => {
          tally?.ended(outcome, sentAt);
          if (outcome === 200) call();
          else this.comeBack(call);
        });
      };
      this.active += 1;
      call();
    }
  }

  private comeBack(call: () => void): void {
    this.comingBack.push(call);
    if (this.comingBack.length === 1) setImmediate(() => this.letBack());
  }

  private letBack(): void {
    for (const call of this.comingBack.splice(0, comingBackPerTurn)) call();
    if (this.comingBack.length > 0) setImmediate(() => this.letBack());
  }

  private leave(): void {
    this.active -= 1;
    if (this.active === 0) this.finished();
  }
}
