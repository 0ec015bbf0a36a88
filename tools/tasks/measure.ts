import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@app/local-stack';
import { fail } from '../bootstrap/run.mjs';
import { buildProjects } from '../building/build-projects.js';
import { loadableFiles, packagesOf } from '../images/service-packages.mjs';
import { Checkout, type Start } from '../measure/checkout.js';
import { filesOfCommit, sizeOf } from '../measure/sources.js';

const usage = `Usage: npm run measure -- [options]

Prints how large the sources are: of each app and library, without its tests, and of all tests.
  --ref REVISION        another revision beside it
  --operation REVISION  the files that a commit touched, for example one that adds an operation
  --images              what the image of each service carries
  --start               how long each service takes to be ready, and what that costs (medians)
    --beside DIRECTORY  another built checkout, in turns with this one
    --rounds NUMBER     default: 10
`;

const options = {
  ref: { type: 'string' },
  operation: { type: 'string' },
  images: { type: 'boolean' },
  start: { type: 'boolean' },
  beside: { type: 'string' },
  rounds: { type: 'string', default: '10' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

function readOptions(): Values {
  try {
    return parseArgs({ options }).values;
  } catch {
    return fail(usage);
  }
}

function print(...columns: readonly (string | number)[]): void {
  const [first = '', ...others] = columns.map(String);
  process.stdout.write(`${first.padEnd(24)}${others.map((text) => text.padStart(14)).join('')}\n`);
}

function printSources(ref?: string): void {
  const sizes = ref === undefined ? [sizeOf()] : [sizeOf(), sizeOf(ref)];
  const names = sizes.flatMap(({ parts }) => parts.map(({ name }) => name));
  print('', ...sizes.flatMap((_, index) => [index === 0 ? 'files' : `at ${ref?.slice(0, 7)}`, 'lines']));
  for (const name of [...new Set(names)].sort()) {
    const own = sizes.map(({ parts }) => parts.find((part) => part.name === name));
    print(name, ...own.flatMap((part) => [part?.files ?? 0, part?.lines ?? 0]));
  }
  const total = (key: 'files' | 'lines', index: number): number =>
    sizes[index]?.parts.reduce((sum, part) => sum + part[key], 0) ?? 0;
  print('product', ...sizes.flatMap((_, index) => [total('files', index), total('lines', index)]));
  print('tests', ...sizes.flatMap(({ testFiles, testLines }) => [testFiles, testLines]));
  print('median of a file', ...sizes.flatMap(({ medianLines }) => ['', medianLines]));
  print('README', ...sizes.flatMap(({ readmeLines }) => ['', readmeLines]));
  for (const { largestFile, largestFolder } of sizes) {
    process.stdout.write(
      `largest file (lines)    ${largestFile}\nlargest folder (files)  ${largestFolder}\n`,
    );
  }
}

/** In MB, as files take up space. */
function printImages(): void {
  const sizeOnDisk = (file: string): number => statSync(file).blocks * 512;
  const total = (files: readonly string[]): number =>
    files.reduce((sum, file) => sum + sizeOnDisk(file), 0) / 1e6;
  print('image', 'packages', 'packages MB', 'build MB');
  for (const service of serviceNames) {
    const build = `dist/apps/${service}`;
    const packages = packagesOf(build);
    const own = readdirSync(build, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const ownFiles = own.map((entry) => join(entry.parentPath, entry.name));
    print(
      service,
      packages.length,
      total(packages.flatMap(loadableFiles)).toFixed(0),
      total(ownFiles).toFixed(0),
    );
  }
}

async function printStarts(directories: readonly string[], rounds: number): Promise<void> {
  const checkouts: Checkout[] = [];
  try {
    for (const directory of directories) checkouts.push(await Checkout.open(resolve(directory)));
    print('start', 'ready ms', 'CPU ms', 'memory MB', 'checkout');
    for (const service of serviceNames) {
      const starts = await startInTurns(service, checkouts, rounds);
      starts.forEach((own, index) => {
        const median = (key: keyof Start): string => middle(own.map((start) => start[key])).toFixed(0);
        print(service, median('readyMs'), median('cpuMs'), median('memoryMb'), directories[index] ?? '');
      });
    }
  } finally {
    await Promise.all(checkouts.map((checkout) => checkout.close()));
  }
}

/** The checkout that begins changes with every round. */
async function startInTurns(
  service: ServiceName,
  checkouts: readonly Checkout[],
  rounds: number,
): Promise<Start[][]> {
  const starts = checkouts.map((): Start[] => []);
  for (let turn = 0; turn < rounds * checkouts.length; turn += 1) {
    const index = (turn + Math.floor(turn / checkouts.length)) % checkouts.length;
    const start = await checkouts[index]?.start(service);
    if (start) starts[index]?.push(start);
  }
  return starts;
}

function middle(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

const given = readOptions();
if (given.help) {
  process.stdout.write(usage);
} else {
  printSources(given.ref);
  if (given.operation !== undefined) {
    const files = filesOfCommit(given.operation);
    process.stdout.write(`\n${given.operation} touched ${files.length} files:\n  ${files.join('\n  ')}\n`);
  }
  if (given.images || given.start) await buildProjects({ names: [...serviceNames] });
  if (given.images) printImages();
  if (given.start) {
    await printStarts(['.', ...(given.beside === undefined ? [] : [given.beside])], Number(given.rounds));
  }
}
