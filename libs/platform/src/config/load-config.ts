import { readFileSync } from 'node:fs';
import { cleanEnv, type CleanedEnvAccessors, EnvMissingError, type ValidatorSpec } from 'envalid';

/** Variables that did not pass, all of them at once, by name, with what is expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: Readonly<Record<string, string>>) {
    const lines = Object.entries(problems).map(([variable, problem]) => `  ${variable}: ${problem}`);
    super(`The configuration is not valid:\n${lines.join('\n')}`);
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;
type Specs = Record<string, ValidatorSpec<unknown>>;
type Values<S> = { readonly [K in keyof S]: S[K] extends ValidatorSpec<infer T> ? T : never };

/**
 * Reads the variables that `specs` name, once, into one frozen, typed object. `NAME_FILE` gives the path of a file that
 * holds the value of `NAME`, as secret stores mount them. An empty variable counts as one that is not set. Raises
 * `ConfigError`.
 */
export function loadConfig<S extends Specs>(specs: S, environment: Environment): Values<S> {
  const problems: Record<string, string> = {};
  const resolved = readSecretFiles(Object.keys(specs), environment, problems);
  const values = cleanEnv(resolved, specs, {
    reporter: ({ errors }) => {
      for (const [variable, error] of Object.entries(errors)) {
        if (error) problems[variable] ??= explain(error, specs[variable]?.desc);
      }
    },
  });
  if (Object.keys(problems).length > 0) throw new ConfigError(problems);
  return Object.freeze(pick(values, Object.keys(specs))) as Values<S>;
}

function explain(error: Error, expected = 'a value'): string {
  return error instanceof EnvMissingError
    ? `is missing (expected: ${expected})`
    : `${error.message} (expected: ${expected})`;
}

function pick(values: CleanedEnvAccessors & object, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(values, name)]));
}

function readSecretFiles(
  names: string[],
  environment: Environment,
  problems: Record<string, string>,
): Record<string, string | undefined> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const resolved = { ...given };
  for (const name of names) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      problems[name] = `${name} and ${name}_FILE are both set; keep one`;
      continue;
    }
    try {
      resolved[name] = readFileSync(path, 'utf8').trimEnd();
    } catch (error) {
      problems[name] =
        `${name}_FILE can't be read: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return resolved;
}
