import { totalmem } from 'node:os';
import { StartError } from '#platform';
import { IndexMemory, memoryForIndex } from './index-memory.js';

const remedy = /more memory .*INDEX_MEMORY_MB.*SEARCH_ENGINE=sql/;

describe('the memory for an index', () => {
  const constrainedTo = (bytes: number) => jest.spyOn(process, 'constrainedMemory').mockReturnValue(bytes);
  afterEach(() => jest.restoreAllMocks());

  it.each([
    { title: 'that of its container, less that of the process', bytes: 2 ** 31, expected: 2 ** 31 - 450e6 },
    { title: 'that of the machine without a limit', bytes: 2 ** 64, expected: totalmem() - 450e6 },
    { title: 'that of the machine where limits are unknown', bytes: 0, expected: totalmem() - 450e6 },
    { title: 'none in a container without any to spare', bytes: 2 ** 28, expected: 0 },
  ])('is $title', ({ bytes, expected }) => {
    constrainedTo(bytes);
    expect(memoryForIndex(0)).toBe(expected);
  });

  it('is the given one, whatever the container has', () => {
    constrainedTo(2 ** 31);
    expect(memoryForIndex(7_000)).toBe(7_000e6);
  });
});

describe('the limit of an index', () => {
  const memory = () => new IndexMemory(1_000e6);
  const sized = (bytes: number) => ({ creators: 1_000, bytes });

  it('leaves a fifth to creators that are being replaced', () => {
    expect(memory().limitBytes).toBe(800e6);
    expect(memory().problemOf(sized(799e6))).toBeNull();
    expect(memory().problemOf(sized(800e6))).toMatch(/^the index is full \(1000 creators, limit 800 MB\)/);
    expect(memory().problemOf(sized(800e6))).toMatch(remedy);
  });

  it.each([
    { title: 'is too large already', built: 1_001e6, expected: 1_001e6 },
    { title: 'will certainly be too large', built: 10e6, expected: 1_251e6 },
  ])('refuses one that $title, and says what to do', ({ built, expected }) => {
    const checked = () => memory().check(sized(built), sized(expected));
    expect(checked).toThrow(StartError);
    expect(checked).toThrow(`creators need ${expected / 1e6} MB, and it may take 1000 MB`);
    expect(checked).toThrow(remedy);
  });

  it('refuses none that could run until now, and none by an estimate that may be wrong', () => {
    expect(() => memory().check(sized(800e6), sized(800e6))).not.toThrow();
    expect(() => memory().check(sized(10e6), sized(1_249e6))).not.toThrow();
  });
});
