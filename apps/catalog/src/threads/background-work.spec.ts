import { setImmediate as turn } from 'node:timers/promises';
import { BackgroundWork } from './background-work.js';

/** Pieces of work by name, which end on request. */
class Pieces {
  readonly begun: string[] = [];
  private readonly ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();

  readonly piece =
    (name: string): (() => Promise<string>) =>
    () => {
      this.begun.push(name);
      return new Promise((resolve, reject) => this.ends.set(name, { resolve: () => resolve(name), reject }));
    };

  async end(name: string): Promise<void> {
    this.ends.get(name)?.resolve();
    await turn();
  }

  async fail(name: string): Promise<void> {
    this.ends.get(name)?.reject(new Error(name));
    await turn();
  }
}

let now: number;
let background: BackgroundWork;
let pieces: Pieces;

beforeEach(() => {
  now = 5_000;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  background = new BackgroundWork();
  pieces = new Pieces();
});

it('begins every piece at once while there are no calls', async () => {
  const results = ['a', 'b', 'c'].map((name) => background.run(pieces.piece(name)));
  await turn();
  expect(pieces.begun).toEqual(['a', 'b', 'c']);
  for (const name of ['c', 'a', 'b']) await pieces.end(name);
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
});

describe('while calls arrive, background work', () => {
  beforeEach(() => background.noteCall());

  it('runs one piece at a time, in their order, also after one that failed', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => background.run(pieces.piece(name)));
    const failed = expect(a).rejects.toThrow('a');
    await turn();
    expect(pieces.begun).toEqual(['a']);
    await pieces.fail('a');
    await failed;
    expect(pieces.begun).toEqual(['a', 'b']);
    await pieces.end('b');
    expect(pieces.begun).toEqual(['a', 'b', 'c']);
    await pieces.end('c');
    expect([await b, await c]).toEqual(['b', 'c']);
  });

  it('begins an urgent piece at once, and the others after it, even when it failed', async () => {
    void background.run(pieces.piece('a'));
    await turn();
    const urgent = background.runNow(pieces.piece('urgent'));
    const failed = expect(urgent).rejects.toThrow('urgent');
    void background.run(pieces.piece('b'));
    expect(pieces.begun).toEqual(['a', 'urgent']);
    await pieces.end('a');
    expect(pieces.begun).toEqual(['a', 'urgent']);
    await pieces.fail('urgent');
    await failed;
    expect(pieces.begun).toEqual(['a', 'urgent', 'b']);
    await pieces.end('b');
  });

  it.each([
    { sinceMs: 999, begun: ['a'] },
    { sinceMs: 1_000, begun: ['a', 'b'] },
  ])('takes turns until a second after the last call: $sinceMs ms', async ({ sinceMs, begun }) => {
    void background.run(pieces.piece('a'));
    await turn();
    now += sinceMs;
    void background.run(pieces.piece('b'));
    await turn();
    expect(pieces.begun).toEqual(begun);
  });
});
