import { isDeepStrictEqual } from 'node:util';
import { type Calls, profilePath } from './calls.js';
import { type Side } from './side.js';

const profilesCompared = 50;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Sides that answer differently do not do the same work: every search, some profiles, and calls that fail, in the same order
 * with the same keys, so that what is left of the credits is compared too. Returns how many calls were compared; throws
 * with each difference.
 */
export async function compareAnswers(
  one: Side,
  other: Side,
  accounts: number,
  calls: Calls,
): Promise<number> {
  const paths = [
    ...calls.searches,
    ...calls.profiles.slice(0, profilesCompared),
    profilePath('nobody-has-this-slug'),
    '/api/public/v1/search?limit=0',
  ];
  const differences: string[] = [];
  for (const [number, path] of paths.entries()) {
    const [expected, found] = await Promise.all([one, other].map((side) => call(side, path, number)));
    if (!isDeepStrictEqual(expected, found)) {
      differences.push(`${path}\n  ${one.name}: ${shown(expected)}\n  ${other.name}: ${shown(found)}`);
    }
  }
  if (differences.length > 0) throw new Error(`the answers differ:\n${differences.join('\n')}`);
  return paths.length;

  /** Of errors only the status is compared: their sentences are written for readers. */
  async function call(side: Side, path: string, number: number): Promise<Answer> {
    const keys = side.accounts.slice(0, accounts).flat();
    const headers = { authorization: `Bearer ${keys[number % keys.length]}` };
    const reply = await fetch(side.origin + path, { headers });
    const body: unknown = await reply.json();
    return { status: reply.status, body: reply.ok ? body : null };
  }
}

function shown(answer: Answer | undefined): string {
  return JSON.stringify(answer).slice(0, 500);
}
