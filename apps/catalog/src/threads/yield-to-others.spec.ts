import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { letHelpersYield } from './yield-to-others.js';

const onLinux = process.platform === 'linux' ? it : it.skip;

onLinux('the threads that Node starts by itself run behind the one that answers', () => {
  const before = getPriority(process.pid);
  letHelpersYield();
  const helpers = readdirSync('/proc/self/task')
    .map(Number)
    .filter((threadId) => threadId !== process.pid);
  expect(helpers.length).toBeGreaterThan(0);
  for (const threadId of helpers) expect(getPriority(threadId)).toBeGreaterThan(before);
  expect(getPriority(process.pid)).toBe(before);
});
