import * as fc from 'fast-check';
import { type Caller, FairQueue } from './fair-queue.js';

interface Call {
  readonly caller: Caller;
  readonly since: number;
}

const everyKey = (): boolean => true;
/** Of a key, which is the only one of its account unless that is named. */
const call = (key: string, since: number, account = key): Call => ({ caller: { account, key }, since });
const namesOf = (line: FairQueue<Call>): string[] => {
  const names = [];
  for (let next = line.next(everyKey); next; next = line.next(everyKey)) {
    names.push(`${next.caller.key}${next.since}`);
  }
  return names;
};

it('the keys take turns, and within a key the oldest call comes first', () => {
  const line = new FairQueue<Call>();
  for (const since of [1, 2, 3]) line.add(call('a', since));
  line.add(call('b', 4));
  line.add(call('c', 5));
  expect(namesOf(line)).toEqual(['a1', 'b4', 'c5', 'a2', 'a3']);
});

it('the accounts take turns however many keys they have, and in its turns the keys of an account', () => {
  const line = new FairQueue<Call>();
  for (const [since, key] of ['a', 'b', 'a', 'c'].entries()) line.add(call(key, since, 'one'));
  for (const since of [4, 5, 6]) line.add(call('x', since, 'two'));
  expect(namesOf(line)).toEqual(['a0', 'x4', 'b1', 'x5', 'c3', 'x6', 'a2']);
});

it('a key that may not enter keeps its turn', () => {
  const line = new FairQueue<Call>();
  line.add(call('a', 1));
  line.add(call('b', 2));
  expect(line.next(({ key }) => key !== 'a')).toEqual(call('b', 2));
  expect(line.next(({ key }) => key !== 'a')).toBeUndefined();
  expect(line.next(everyKey)).toEqual(call('a', 1));
});

it('every call that is added comes out once, and none waits behind two of the same other key', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }), (keys) => {
      const line = new FairQueue<Call>();
      const calls = keys.map((key, since) => call(key, since));
      for (const each of calls) line.add(each);
      const out: Call[] = [];
      while (line.length > 0) {
        const next = line.next(everyKey);
        if (next) out.push(next);
      }
      expect(new Set(out)).toEqual(new Set(calls));
      expect(out).toHaveLength(calls.length);
      expect(line.accounts).toBe(0);
      for (const key of new Set(keys)) {
        const turns = out.map((each) => each.caller.key);
        const first = turns.indexOf(key);
        const before = turns.slice(0, first);
        expect(before).toHaveLength(new Set(before).size);
      }
    }),
  );
});

it('a call that was removed from the middle does not come out', () => {
  const line = new FairQueue<Call>();
  const [one, two] = [call('a', 1), call('a', 2)];
  line.add(one);
  line.add(two);
  expect(line.remove(one)).toBe(true);
  expect(line.remove(one)).toBe(false);
  expect(line.oldest).toBe(two);
  expect(namesOf(line)).toEqual(['a2']);
  expect(line.oldest).toBeUndefined();
});
