import { ThreadedPreparer } from './threaded-preparer.js';

/** Answers the bytes as rows, and the size of the memory that came with them as `received`. */
const script = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', ({ id, given: [bytes] }) => {
    const value = { received: bytes.buffer.byteLength, count: 0, rows: bytes.slice(), errors: [] };
    parentPort.postMessage({ id, kind: 'result', value });
  });`;

let preparer: ThreadedPreparer;

beforeEach(() => {
  preparer = new ThreadedPreparer(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
});
afterEach(() => preparer.close());

it('transfers to the thread only the bytes of the chunk, not the memory around them', async () => {
  // As the Redis client gives them: a part of a buffer that it fills with one message after the other.
  const shared = Buffer.alloc(3_000_000, 'around');
  const chunk = shared.subarray(1_000, 1_100).fill('a line');
  const { received, rows } = await preparer.prepare(chunk, 1);
  expect(Buffer.from(rows)).toEqual(chunk);
  expect(received).toBe(100);
});

it.each([
  { name: 'a part of the memory that small buffers share', memory: Buffer.from('before, a line, after') },
  { name: 'a part of a large buffer', memory: Buffer.alloc(100_000, 'before, a line, after') },
])('leaves the chunk and the memory around it to its sender: $name', async ({ memory }) => {
  const before = memory.toString();
  const chunk = memory.subarray(8, 14);
  await preparer.prepare(chunk, 1);
  expect(chunk.toString()).toBe('a line');
  expect(memory.toString()).toBe(before);
});
