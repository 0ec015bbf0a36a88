import { parseArgs, type ParseArgsConfig } from 'node:util';
import { exitOnClosedOutput } from '../../tools/cli/output/exit-on-closed-output.js';

type ParseArgsOptionsConfig = NonNullable<ParseArgsConfig['options']>;

/** The options of a benchmark. `--help`, and a mistake, print them and end the process. */
export function readOptions<const Options extends ParseArgsOptionsConfig>(name: string, options: Options) {
  exitOnClosedOutput();
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(usage(name, options));
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    process.stderr.write(
      `${error instanceof Error ? error.message : String(error)}\n\n${usage(name, options)}`,
    );
    process.exit(1);
  }
}

function usage(name: string, options: ParseArgsOptionsConfig): string {
  const lines = Object.entries(options).map(([option, { type, default: usual }]) => {
    const value = type === 'string' ? ' VALUE' : '';
    return `  --${option}${value}${usual === undefined ? '' : `  (default: ${String(usual)})`}\n`;
  });
  return `Usage: npm run bench:${name} -- [options]\n\n${lines.join('')}`;
}
