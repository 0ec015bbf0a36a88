import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** One line of a stack; as text it reads as V8 would write it. */
interface Call extends NodeJS.CallSite {
  toString(): string;
}

const maps = new Map<string, SourceMap | null>();

/**
 * Makes the stacks of errors name lines of the TypeScript sources, in this thread. Node's `--enable-source-maps` reads the
 * map of every loaded file, all packages included, at the start; here a map is read when a stack first names its file.
 */
export function enableSourceMaps(): void {
  Error.prepareStackTrace = (error, calls: readonly Call[]) =>
    [describe(error), ...calls.map((call) => `    at ${inSource(call)}`)].join('\n');
}

function describe(error: Error): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}

function inSource(call: Call): string {
  const text = call.toString();
  const file = call.getFileName();
  const line = call.getLineNumber();
  const column = call.getColumnNumber();
  if (!file?.startsWith('file:') || line === null || column === null) return text;
  const entry = mapOf(file)?.findEntry(line - 1, column - 1);
  if (!entry || !('originalSource' in entry)) return text;
  const source = fileURLToPath(new URL(entry.originalSource, file));
  const position = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  return text.replace(`${file}:${line}:${column}`, () => position);
}

/** `null`: the file has none. */
function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const map = readMap(fileURLToPath(file));
  maps.set(file, map);
  return map;
}

/** Packages have maps to sources that are not there; a map that is missing or can't be read must not hide the error. */
function readMap(path: string): SourceMap | null {
  if (path.includes('/node_modules/')) return null;
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
