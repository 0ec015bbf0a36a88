import { readFileSync } from 'node:fs';
import { cleanEnv, EnvMissingError, type ValidatorSpec } from 'envalid';
import { messageOf } from '../errors.js';

/** All invalid variables, by name, each with the expected value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: Readonly<Record<string, string>>) {
    const lines = Object.entries(problems).map(([variable, problem]) => `  ${variable}: ${problem}`);
    super(`The configuration is not valid:\n${lines.join('\n')}`);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;
type Specs = Record<string, ValidatorSpec<unknown>>;
/**
 * Rules between variables: returns problems by the variable to correct. A value that is invalid by itself is
 * `undefined` and must cause no further problem.
 */
export type Rule<S> = (values: Partial<Values<S>>) => Readonly<Record<string, string>>;
type Values<S> = { readonly [K in keyof S]: S[K] extends ValidatorSpec<infer T> ? T : never };

/**
 * Reads the variables named by `specs`, once, into one frozen, typed object. `NAME_FILE` gives the path of a file that
 * holds the value of `NAME`, as secret stores mount them. White space around a value is dropped, because files and secrets
 * often end with a line break; an empty variable or file counts as unset. Throws one `ConfigError` with all problems,
 * including those between variables.
 */
export function loadConfig<S extends Specs>(
  specs: S,
  environment: Environment,
  rules: readonly Rule<S>[] = [],
): Values<S> {
  const problems: Record<string, string> = {};
  const resolved = readSecretFiles(Object.keys(specs), environment, problems);
  const values = cleanEnv(resolved, specs, {
    reporter: ({ errors }) => {
      for (const [variable, error] of Object.entries(errors)) {
        if (error) problems[variable] ??= explain(error, specs[variable]?.desc);
      }
    },
  });
  // An invalid variable is absent from the copy; reading it from `values` would throw.
  const chosen = { ...values } as Values<S>;
  for (const rule of rules) {
    for (const [variable, problem] of Object.entries(rule(chosen))) problems[variable] ??= problem;
  }
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);
  return Object.freeze(chosen);
}

function explain(error: Error, expected = 'a value'): string {
  const problem = error instanceof EnvMissingError ? 'is missing' : error.message;
  return `${problem} (expected: ${expected})`;
}

function readSecretFiles(
  names: string[],
  environment: Environment,
  problems: Record<string, string>,
): Record<string, string | undefined> {
  const trimmed = Object.entries(environment).map(([name, value]) => [name, value?.trim()] as const);
  const given = Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
  const resolved = { ...given };
  for (const name of names) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    try {
      const value = readFileSync(path, 'utf8').trim();
      if (value === '') continue;
      if (given[name] === undefined) resolved[name] = value;
      else problems[name] = `${name} and ${name}_FILE are both set; keep one`;
    } catch (error) {
      problems[name] = `${name}_FILE can't be read: ${messageOf(error)}`;
    }
  }
  return resolved;
}

/** Variables whose whole value is a secret; a URL hides just its password. */
const secretName = /(TOKEN|PASSWORD|SECRET|SECRET_KEY)$/;
const hidden = '***';

/** The configuration as lines of `NAME=value` with all secrets hidden, for display and logs. */
export function showConfig(config: object): string {
  const lines = Object.entries(config)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${shown(name, value)}\n`);
  return lines.join('');
}

function shown(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (secretName.test(name)) return text === '' ? '' : hidden;
  // The part between the user's colon and the host's @.
  return text
    .replace(/(:\/\/[^/@:\s]*):[^@\s]+@/g, `$1:${hidden}@`)
    .replace(/(password=)[^&\s]*/g, `$1${hidden}`);
}
