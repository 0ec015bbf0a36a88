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
  /** null: as the shell or the file .env has it. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly deploy?: { readonly replicas?: string };
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, object | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export function readComposeFile(path = 'docker-compose.yml'): ComposeFile {
  return parse(readFileSync(path, 'utf8'), { merge: true }) as ComposeFile;
}

/** A value as compose reads it with these variables. A default may itself be a variable with one. */
export function interpolate(value = '', variables: Readonly<Record<string, string>> = {}): string {
  const inner = value.replace(
    /\$\{(\w+):-([^{}]*)\}/,
    (_all, name: string, fallback: string) => variables[name] || fallback,
  );
  return inner === value ? value : interpolate(inner, variables);
}
