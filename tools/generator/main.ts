import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { exitOnClosedOutput } from '../cli/output/exit-on-closed-output.js';
import { generateCreators, type GenerateOptions } from './generate-creators.js';

const usage = `Writes fictional creators as import lines (NDJSON).

  --count N        number of creators (default 1000)
  --seed N         the same seed writes the same creators (default 1)
  --output FILE    file to write (default: standard output)
`;

function* importLines(options: GenerateOptions): Generator<string> {
  for (const creator of generateCreators(options)) yield `${JSON.stringify(creator)}\n`;
}

function integerOption(name: string, text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number, not "${text}"`);
}

try {
  exitOnClosedOutput();
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      output: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  const { help, output } = values;
  if (help) process.stdout.write(usage);
  else {
    const [count, seed] = [integerOption('count', values.count), integerOption('seed', values.seed)];
    const target = output === undefined ? process.stdout : createWriteStream(output);
    await pipeline(importLines({ count, seed }), target, { end: output !== undefined });
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
