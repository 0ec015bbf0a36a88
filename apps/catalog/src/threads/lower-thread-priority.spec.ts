import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { lowerV8ThreadPriority } from './lower-thread-priority.js';

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('the threads that Node starts have a lower priority than the main thread', () => {
  const before = getPriority(process.pid);
  lowerV8ThreadPriority();
  const helpers = readdirSync('/proc/self/task')
    .map(Number)
    .filter((threadId) => threadId !== process.pid);
  expect(helpers.length).toBeGreaterThan(0);
  for (const threadId of helpers) expect(getPriority(threadId)).toBeGreaterThan(before);
  expect(getPriority(process.pid)).toBe(before);
});
