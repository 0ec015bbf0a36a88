import { ConfigError } from '#platform';

/** What is wrong with a configuration that is read, by variable; empty: nothing. */
export function configProblems(read: () => unknown): Readonly<Record<string, string>> {
  try {
    read();
    return {};
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
