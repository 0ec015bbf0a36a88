import { OverloadDetector } from './overload-detector.js';

const waitMaxMs = 2_000;
let now: number;
let detector: OverloadDetector;

beforeEach(() => {
  now = 0;
  detector = new OverloadDetector(waitMaxMs, () => now);
});

/** For `forMs` from now on, the oldest call in the queue has waited for `waitedMs`. */
function play(waitedMs: number | undefined, forMs: number): void {
  for (const end = now + forMs; now <= end; now += 20) {
    detector.observe(waitedMs === undefined ? undefined : now - waitedMs);
  }
}

it('a short wait is no overload, however long it lasts', () => {
  play(900, 60_000);
  expect(detector.isLasting).toBe(false);
});

it('a burst that is worked off within a second is no overload', () => {
  play(1_500, 900);
  play(100, 20);
  play(1_500, 900);
  expect(detector.isLasting).toBe(false);
});

it('waiting too long for a whole second is an overload, until no call was refused for a second', () => {
  play(1_500, 1_100);
  expect(detector.isLasting).toBe(true);
  detector.refused();
  play(150, 980);
  expect(detector.isLasting).toBe(true);
  detector.refused();
  play(150, 980);
  expect(detector.isLasting).toBe(true);
  play(150, 100);
  expect(detector.isLasting).toBe(false);
});

it('a call that comes after a long pause does not find an overload', () => {
  play(1_500, 1_100);
  detector.refused();
  now += 10_000;
  detector.observe(undefined);
  expect(detector.isLasting).toBe(false);
});
