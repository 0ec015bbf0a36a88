// Runs a program of Node.js again and again: node repeat.mjs SECONDS PROGRAM. For containers, whose images have no shell; elsewhere a
// timer does that. What has failed is repeated after an hour at the latest. A signal ends this at once, and the container with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const [seconds, ...program] = process.argv.slice(2);
for (;;) {
  const [code] = await once(spawn(process.execPath, program, { stdio: 'inherit' }), 'exit');
  await delay(1_000 * (code === 0 ? Number(seconds) : Math.min(Number(seconds), 3_600)));
}
