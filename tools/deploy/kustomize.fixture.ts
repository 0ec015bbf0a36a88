import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments, parse } from 'yaml';

interface Generator {
  readonly name: string;
  readonly behavior?: 'merge';
  readonly envs?: readonly string[];
  readonly literals?: readonly string[];
  readonly options?: { readonly disableNameSuffixHash?: boolean };
}

export interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly configMapGenerator?: readonly Generator[];
  readonly generatorOptions?: { readonly disableNameSuffixHash?: boolean };
}

type Data = Readonly<Record<string, string>>;

export const overlays = ['production', 'staging'] as const;
export const kubernetes = 'deploy/kubernetes';

export function readKustomization(directory: string): Kustomization {
  return parse(readFileSync(join(directory, 'kustomization.yaml'), 'utf8')) as Kustomization;
}

/** The program that builds overlays, with its first words; null where there is neither. */
const builder = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
].find(([command = '']) => spawnSync(command, ['--help']).status === 0);

export const canBuild = builder !== undefined;

/** What an overlay is, as it would be applied. Throws with the reason why it can't be built. */
export function build<Manifest>(directory: string): Manifest[] {
  const [command = '', word = ''] = builder ?? [];
  return parseManifests(execFileSync(command, [word, directory], { encoding: 'utf8', stdio: 'pipe' }));
}

/**
 * The data of each config map of an overlay, without what its settings write into them, by its name
 * without the hash.
 */
export function configMapsOf(overlay: (typeof overlays)[number]): Readonly<Record<string, Data>> {
  const maps: Record<string, Data> = {};
  for (const directory of [join(kubernetes, 'base'), join(kubernetes, 'overlays', overlay)]) {
    for (const { name, behavior, envs = [], literals = [] } of readKustomization(directory)
      .configMapGenerator ?? []) {
      // kustomize refuses anything else too.
      if (name in maps !== (behavior === 'merge')) throw new Error(`${name} in ${directory}: behavior`);
      const lines = envs.flatMap((file) => readFileSync(join(directory, file), 'utf8').split('\n'));
      maps[name] = { ...maps[name], ...dataOf([...lines, ...literals]) };
    }
  }
  return maps;
}

function dataOf(lines: readonly string[]): Data {
  const set = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const pairs = set.map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)] as const);
  return Object.fromEntries(pairs);
}

/** Every document of a file. */
export function readManifests<Manifest>(file: string): Manifest[] {
  return parseManifests(readFileSync(file, 'utf8'));
}

function parseManifests<Manifest>(text: string): Manifest[] {
  const documents = parseAllDocuments(text);
  return documents.map((document) => document.toJS({ maxAliasCount: 0 }) as Manifest);
}

/** The files and directories that a kustomization names, from the root of the project. */
export function resourcesOf(file: string): string[] {
  const directory = dirname(file);
  const { resources = [], components = [] } = readKustomization(directory);
  return [...resources, ...components].map((name) => join(directory, name));
}
