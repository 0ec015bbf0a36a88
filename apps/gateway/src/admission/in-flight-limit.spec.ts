import fc from 'fast-check';
import { InFlightLimit, type Leave } from './in-flight-limit.js';

/** Services that work on so many requests at once, each taking so long; the others wait in a line. */
class Services {
  now = 0;
  readonly limit = new InFlightLimit({ floor: 4, ceiling: 1_000, now: () => this.now });
  readonly tookMs: number[] = [];
  refused = 0;
  private line: { readonly leave: Leave; readonly enteredAt: number }[] = [];
  private readonly working: { readonly leave: Leave; readonly enteredAt: number; readonly endsAt: number }[] =
    [];

  constructor(
    private readonly workers: number,
    private readonly workMs: number,
  ) {}

  /** `perMs` requests arrive every ms. */
  run(ms: number, perMs: number, isHung = false): void {
    let owed = 0;
    for (let end = this.now + ms; this.now < end; this.now += 1) {
      for (owed += perMs; owed >= 1; owed -= 1) this.arrive();
      if (!isHung) this.work();
    }
  }

  /** The slowest but one in a hundred since the last question. */
  p99(): number {
    const sorted = this.tookMs.splice(0).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }

  private arrive(): void {
    const leave = this.limit.enter();
    if (leave) this.line.push({ leave, enteredAt: this.now });
    else this.refused += 1;
  }

  private work(): void {
    for (const done of this.working.filter(({ endsAt }) => endsAt <= this.now)) {
      this.working.splice(this.working.indexOf(done), 1);
      this.tookMs.push(this.now - done.enteredAt);
      done.leave('search', 'served');
    }
    const taken = this.line.splice(0, this.workers - this.working.length);
    for (const one of taken) this.working.push({ ...one, endsAt: this.now + this.workMs });
  }
}

describe('the limit of requests in work', () => {
  it('refuses nobody while the services keep up', () => {
    const services = new Services(8, 5);
    services.run(10_000, 1);
    expect(services.refused).toBe(0);
  });

  it('keeps those that are let in fast, whatever the load, and the services busy', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 32 }),
        fc.integer({ min: 3, max: 40 }),
        fc.double({ min: 1.5, max: 5, noNaN: true }),
        (workers, workMs, overload) => {
          const services = new Services(workers, workMs);
          const capacityPerMs = workers / workMs;
          services.run(5_000, capacityPerMs / 4);
          services.p99();
          services.run(10_000, capacityPerMs * overload);
          services.p99();
          services.run(10_000, capacityPerMs * overload);
          const served = services.tookMs.length;
          expect(services.refused).toBeGreaterThan(0);
          expect(served).toBeGreaterThan(0.8 * 10_000 * capacityPerMs);
          expect(services.p99()).toBeLessThan(Math.max(4 * workMs, ((4 + workers) / workers) * workMs * 2));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('lets nothing pile up behind services that hang, and all in again once they answer', () => {
    const services = new Services(8, 5);
    services.run(5_000, 1);
    services.run(2_000, 1, true);
    expect(services.limit.inFlight).toBeLessThanOrEqual(1_000);
    expect(services.refused).toBeGreaterThan(900);
    services.run(10_000, 1);
    services.refused = 0;
    services.run(2_000, 1);
    expect(services.refused).toBe(0);
  });

  it('works off a burst, and the next one', () => {
    const services = new Services(8, 10);
    for (let burst = 0; burst < 5; burst++) {
      services.run(1, 400);
      services.run(2_000, 0.1);
    }
    expect(services.refused).toBe(0);
  });

  it('lets a burst in after a pause, however lasting the overload before it was', () => {
    const services = new Services(8, 10);
    services.run(10_000, 4);
    expect(services.limit.limit).toBeLessThan(100);
    services.run(2_000, 0);
    services.refused = 0;
    services.run(1, 400);
    expect(services.refused).toBe(0);
  });

  it('stays within its bounds, and lets a request in again for each that left', () => {
    const limit = new InFlightLimit({ floor: 4, ceiling: 16, now: () => 0 });
    const all = Array.from({ length: 16 }, () => limit.enter());
    expect(all.every((leave) => leave !== null)).toBe(true);
    expect(limit.enter()).toBeNull();
    all[0]?.('search', 'refused');
    expect(limit.enter()).not.toBeNull();
    expect(limit.enter()).toBeNull();
  });
});
