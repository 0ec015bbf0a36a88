import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface ComposeService {
  readonly image: string;
  readonly build?: object;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly cap_add?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly secrets?: readonly (string | { readonly source: string })[];
  /** null: taken from the shell. */
  readonly environment?: Readonly<Record<string, string | null>>;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, object | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export function readComposeFile(path: string): ComposeFile {
  return parse(readFileSync(path, 'utf8'), { merge: true }) as ComposeFile;
}
