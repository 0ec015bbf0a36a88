import fc from 'fast-check';
import { commitInTime } from './transaction-runner.js';

/** A caller that gives up after `budgetMs`, and a database that answers after each of `delaysMs` in turn. */
class Simulation {
  now = 0;
  /** When PostgreSQL ends the session, once its time-out has been set. */
  sessionEndsAt = Infinity;

  constructor(
    private readonly budgetMs: number,
    private readonly delaysMs: number[],
  ) {}

  readonly remainingMs = (): number => this.budgetMs - this.now;

  readonly query = (_name: string, _sql: string, [idleMs]: unknown[]): Promise<void> => {
    this.now += this.delaysMs.shift() ?? 1;
    this.sessionEndsAt = this.now + Number(idleMs);
    return Promise.resolve();
  };
}

it('nothing is committed after the time-out of the caller, however long PostgreSQL takes to answer', async () => {
  const delays = fc.array(fc.nat(800), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: -500, max: 5_000 }), delays, async (budgetMs, delaysMs) => {
      const simulation = new Simulation(budgetMs, delaysMs);
      const refused = await commitInTime(simulation.query, simulation.remainingMs).then(
        () => null,
        (error: unknown) => error,
      );
      if (refused === null) expect(simulation.sessionEndsAt).toBeLessThanOrEqual(budgetMs);
      else expect(refused).toMatchObject({ code: 'deadline_exceeded' });
    }),
  );
});
