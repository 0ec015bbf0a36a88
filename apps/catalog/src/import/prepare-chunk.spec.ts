import { recordOf } from '../creators/creator-records.fixture.js';
import { prepareChunk } from './prepare-chunk.js';

it.each([0, 1, 1_000])(
  'writes the rows of %i creators into memory of their own, which can be transferred',
  (creators) => {
    const lines = Array.from({ length: creators }, (_, index) =>
      JSON.stringify(recordOf(`creator-${index}`)),
    );
    const { count, rows } = prepareChunk(Buffer.from(lines.join('\n')), 1, new Date());
    expect(count).toBe(creators);
    expect(rows.buffer.byteLength).toBe(rows.length);
  },
);
