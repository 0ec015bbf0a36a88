import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { generateCreators, type GenerateOptions } from './generate-creators.js';

const usage = `Writes fictional creators as import lines (NDJSON).

  --count N        number of creators (default 1000)
  --seed N         the same seed writes the same creators (default 1)
  --output FILE    file to write (default: standard output)
`;

const chunkCharacters = 65_536;

/** Lines in chunks large enough to make the cost of the stream negligible. */
function* importLines(options: GenerateOptions): Generator<string> {
  let chunk = '';
  for (const creator of generateCreators(options)) {
    chunk += `${JSON.stringify(creator)}\n`;
    if (chunk.length >= chunkCharacters) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

function integerOption(name: string, text: string): number {
  const value = Number(text);
  if (!/^[0-9]{1,15}$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`);
  return value;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      output: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const options = {
    count: integerOption('count', values.count),
    seed: integerOption('seed', values.seed),
  };
  const target = values.output === undefined ? process.stdout : createWriteStream(values.output);
  await pipeline(Readable.from(importLines(options)), target);
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

try {
  await main();
} catch (error) {
  // A reader such as `head` may stop early, which is not a failure.
  if (!isClosedPipe(error)) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
