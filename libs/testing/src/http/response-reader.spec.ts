import fc from 'fast-check';
import { ResponseReader, type WireAnswer } from './response-reader.js';

const answers = fc.array(
  fc.record({
    status: fc.constantFrom(200, 404, 503, 204, 304),
    header: fc.constantFrom('x-a: b', 'Content-Type: application/json; charset=utf-8', 'x-empty: '),
    name: fc.constantFrom('content-length', 'Content-Length'),
    body: fc.uint8Array({ maxLength: 60 }),
  }),
  { maxLength: 6 },
);

type Written = typeof answers extends fc.Arbitrary<(infer One)[]> ? One : never;

const hasBody = ({ status }: Written): boolean => status !== 204 && status !== 304;

function bytesOf(answer: Written): Buffer {
  const length = hasBody(answer) ? `${answer.name}: ${answer.body.length}\r\n` : '';
  const head = `HTTP/1.1 ${answer.status} Reason\r\n${answer.header}\r\n${length}\r\n`;
  return Buffer.concat([Buffer.from(head), hasBody(answer) ? answer.body : Buffer.alloc(0)]);
}

function readerOf(taken: WireAnswer[], bufferBodies = true): ResponseReader {
  return new ResponseReader({ bufferBodies, take: (answer) => taken.push(answer) });
}

describe('answers on a connection', () => {
  it('are the same however their bytes are cut, and the bytes may be overwritten after', () => {
    fc.assert(
      fc.property(answers, fc.array(fc.integer({ min: 1, max: 50 })), (written, cuts) => {
        const all = Buffer.concat(written.map(bytesOf));
        const taken: WireAnswer[] = [];
        const reader = readerOf(taken);
        for (let at = 0, number = 0; at < all.length; number++) {
          const end = Math.min(all.length, at + (cuts[number] ?? all.length));
          const chunk = Buffer.from(all.subarray(at, end));
          reader.push(chunk);
          chunk.fill(0);
          at = end;
        }
        expect(taken.map(({ status, body }) => [status, [...body]])).toEqual(
          written.map((answer) => [answer.status, hasBody(answer) ? [...answer.body] : []]),
        );
        expect(taken.map(({ bytes }) => bytes)).toEqual(written.map((answer) => bytesOf(answer).length));
        expect(reader.isInside).toBe(false);
      }),
    );
  });

  it('are counted only once they are whole', () => {
    const taken: WireAnswer[] = [];
    const reader = readerOf(taken, false);
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'));
    expect([taken.length, reader.isInside]).toEqual([0, true]);
    reader.push(Buffer.from('cHTTP'));
    expect([taken.length, reader.isInside]).toEqual([1, true]);
    expect(taken[0]?.body.length).toBe(0);
  });

  it('have a length, and are HTTP', () => {
    expect(() => readerOf([]).push(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('no Content-Length');
    expect(() => readerOf([]).push(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toThrow('not an answer');
  });
});
