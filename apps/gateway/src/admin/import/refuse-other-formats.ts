import { ServiceError } from '@app/contracts';
import { isEnoughToJudge, otherFormat } from './body-format.js';

/**
 * Passes the bytes on unchanged once their start shows that they may be NDJSON. Otherwise throws `invalid_request`,
 * saying how to convert the file, before passing anything on. Buffers at most `startBytesMax` bytes and one piece of
 * the source.
 */
export async function* refuseOtherFormats(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  let isJudged = false;
  for await (const bytes of source) {
    if (isJudged) {
      yield bytes;
      continue;
    }
    start = Buffer.concat([start, bytes]);
    if (!isEnoughToJudge(start)) continue;
    judge(start, false);
    isJudged = true;
    yield start;
    start = Buffer.alloc(0);
  }
  if (isJudged) return;
  judge(start, true);
  yield start;
}

function judge(start: Buffer, isWhole: boolean): void {
  const problem = otherFormat(start, isWhole);
  if (problem === null) return;
  throw new ServiceError('invalid_request', problem, { details: { body: [problem] } });
}
