import { testSeed } from '#testing';
import { type Receipt } from '../../support/consumers.js';
import { type CheckedCall, type TestReport } from '../../support/checked-calls.js';
import { type FaultRun, playFaults } from './fault-run.js';
import { FaultStack, limits } from './fault-stack.js';
import { drawFaults } from './faults.js';
import { reportOf } from './report.js';

/** `FAULTS` in all, half of them with one replica of each service, half with two. */
const faultCount = Number(process.env.FAULTS ?? 20);
const seed = Number(process.env.FAULT_SEED ?? testSeed());
const recoveryMaxMs = 10_000;
const timeoutMs = 120_000 + faultCount * 30_000;

/** Each number of replicas is a file of its own: the stacks wait most of the time, and so run side by side. */
export function describeFaults(replicas: number): void {
  describe(`faults under load, ${replicas} of each service`, () => {
    it(
      'no credit is taken for a call that failed, none twice, a retry is paid once, no purchase is lost, and everything recovers by itself',
      () => playDrawn(replicas),
      timeoutMs,
    );
  });
}

async function playDrawn(replicas: number): Promise<void> {
  const stack = await FaultStack.start(replicas);
  try {
    const { pendingTimeoutMs } = limits;
    const faults = drawFaults(faultCount / 2, replicas, seed + replicas);
    const run = await playFaults({ stack, target: stack, replicas, pendingTimeoutMs }, faults);
    process.stdout.write(`\n${reportOf(run, `FAULT_SEED=${seed}`)}`);
    expectNothingLost(run);
  } finally {
    await stack.stop();
  }
}

/** No credit and no purchase was lost or counted twice, whatever happened, and everything recovered by itself. */
export function expectNothingLost(run: FaultRun): void {
  const { overcharged, undercharged, doubled, unexplained, foreign, creditsSeen } = run.reckoning;
  expect({ overcharged, doubled, unexplained, foreign }).toEqual({
    overcharged: [],
    doubled: [],
    unexplained: [],
    foreign: [],
  });
  expect(creditsSeen).toBeGreaterThan(0);
  const { overpaid, foreign: foreignRepetitions, unchanged, priceOfAll } = run.repeated;
  expect({ overpaid, foreignRepetitions }).toEqual({ overpaid: [], foreignRepetitions: [] });
  expect(Math.min(unchanged, priceOfAll)).toBeGreaterThan(0);
  expect(run.unexplained).toEqual([]);
  expect(run.purchases).toBeGreaterThan(0);
  expect([run.lotsLost, run.lotsDoubled]).toEqual([0, []]);
  expect(run.lowestBalance).toBeGreaterThan(0);
  expect(run.audit.discrepancies).toEqual([]);
  expect(run.faults.filter(({ recoveryMs }) => recoveryMs > recoveryMaxMs)).toEqual([]);
  const paidFor = run.receipts.filter(({ status, creditsUsed }) => status !== 200 && creditsUsed > 0);
  expect(paidFor).toEqual([]);

  // What each customer sees of each call through the public API.
  const found = (report: TestReport): CheckedCall[] =>
    run.checkedCalls.filter((checked) => checked.report === report);
  const idsOf = (receipts: readonly Receipt[]): string[] =>
    receipts.map(({ requestId }) => requestId).toSorted();
  expect(found('wrong')).toEqual([]);
  expect(found('posted').length).toBeGreaterThan(0);
  expect(idsOf(found('given back').map(({ receipt }) => receipt))).toEqual(idsOf(undercharged));
}
