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
  const text =
    typeof value === 'string' || Array.isArray(value) ? String(value) : (JSON.stringify(value) ?? '');
  if (secretName.test(name)) return text === '' ? '' : hidden;
  // In any URL of a list: the part between the user's colon and the host's @.
  return text
    .replace(/(:\/\/[^/@:\s]*):[^@\s]+@/g, `$1:${hidden}@`)
    .replace(/(password=)[^&\s]*/g, `$1${hidden}`);
}
