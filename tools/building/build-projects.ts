import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../bootstrap/paths.mjs';
import { progress, run, seconds } from '../bootstrap/run.mjs';
import { readBuildInfo, writeBuildInfo } from '../version/build-info.mjs';
import { clientOutput, compileClient } from './compile-client.js';

/** What this repository builds, and its source directory: the programs, each with what it uses of `libs`, and the client. */
const projects = {
  gateway: 'apps/gateway',
  catalog: 'apps/catalog',
  billing: 'apps/billing',
  tools: 'tools',
  bench: 'bench',
  client: 'libs/client',
} as const;
export type ProjectName = keyof typeof projects;

/** The sources of all programs; the client shares none. */
const shared = [...librariesOfPrograms(), 'nest-cli.json', 'tsconfig.json'];
/** Further source directories of a project. Benchmarks run the ledger and the search engines themselves. */
const alsoUsed: Partial<Record<ProjectName, readonly string[]>> = {
  bench: ['apps/billing', 'apps/catalog', 'tools/cli', 'tools/generator'],
};
const atOnce = 2;

export interface BuildOptions {
  /** Default: all. */
  readonly names?: readonly ProjectName[];
  /** Build unchanged projects too. Default: false. */
  readonly force?: boolean;
}

interface Waiting {
  readonly name: ProjectName;
  readonly fingerprint: string;
}

/** The project of this name. Throws when there is none. */
export function projectNamed(name: string): ProjectName {
  const found = projectNames().find((known) => known === name);
  if (!found) throw new Error(`There is no project ${name}; the projects are ${projectNames().join(', ')}.`);
  return found;
}

/**
 * Builds the projects whose sources have changed since they were last built, two at a time. Throws with the compiler's
 * messages when one fails.
 */
export async function buildProjects({
  names = projectNames(),
  force = false,
}: BuildOptions = {}): Promise<void> {
  const waiting = names
    .map((name) => ({ name, fingerprint: fingerprintOf(name) }))
    .filter(({ name, fingerprint }) => force || readStamp(name) !== fingerprint);
  const failures: string[] = [];
  const work = async (): Promise<void> => {
    for (let project = waiting.shift(); project; project = waiting.shift()) {
      const failure = await build(project);
      if (failure !== null) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw new Error(failures.join('\n'));
  recordBuildInfo(names);
}

/** Of unchanged projects too: the commit may be another one. */
function recordBuildInfo(names: readonly ProjectName[]): void {
  const info = readBuildInfo(root);
  for (const name of names) if (name !== 'client') writeBuildInfo(outputOf(name), info);
}

/** Where the build of a program is. */
function outputOf(name: ProjectName): string {
  return join(root, 'dist', projects[name]);
}

function projectNames(): ProjectName[] {
  return Object.keys(projects) as ProjectName[];
}

/** The error; null on success. */
async function build({ name, fingerprint }: Waiting): Promise<string | null> {
  const startedAt = performance.now();
  rmSync(stampFile(name), { force: true });
  const { code, output } = await (name === 'client' ? compileClient() : buildProgram(name));
  if (code !== 0) return `${output.trimEnd()}\n${name} could not be built.`;
  mkdirSync(dirname(stampFile(name)), { recursive: true });
  writeFileSync(stampFile(name), fingerprint);
  progress(`  ${name} built  ${seconds(startedAt)}`);
  return null;
}

function buildProgram(name: ProjectName): Promise<{ code: number; output: string }> {
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  return run(process.execPath, [nest, 'build', name], { quiet: true });
}

function stampFile(name: ProjectName): string {
  return join(root, 'dist/.built', name);
}

function readStamp(name: ProjectName): string {
  if (name === 'client' && !existsSync(clientOutput)) return '';
  return existsSync(stampFile(name)) ? readFileSync(stampFile(name), 'utf8') : '';
}

function fingerprintOf(name: ProjectName): string {
  const hash = createHash('sha256').update(process.versions.node);
  for (const file of sourcesOf(name).flatMap(sourceFiles)) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function sourcesOf(name: ProjectName): string[] {
  const own = [projects[name], ...(alsoUsed[name] ?? []), 'package-lock.json'];
  return name === 'client' ? own : [...own, ...shared];
}

function librariesOfPrograms(): string[] {
  return readdirSync(join(root, 'libs'))
    .map((library) => `libs/${library}`)
    .filter((library) => library !== projects.client);
}

/** The files below `path` that a build depends on: sources and settings, not tests. */
function sourceFiles(path: string): string[] {
  if (!existsSync(join(root, path))) return [];
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|json|js|css|svg)$/.test(file) && !/(spec|\.fixture)\.ts$|^dist\//.test(file))
    .sort()
    .map((file) => join(path, file));
}
