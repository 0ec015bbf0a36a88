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

/** The data of each config map of an overlay, by its name without the hash. */
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
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  return documents.map((document) => document.toJS({ maxAliasCount: 0 }) as Manifest);
}

/** The files that a kustomization names, from the root of the project. */
export function resourcesOf(file: string): string[] {
  const directory = dirname(file);
  return (readKustomization(directory).resources ?? []).map((name) => join(directory, name));
}
