import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A setting of a unit may be given several times; a later one of a drop-in comes after those of the unit. */
export type Unit = ReadonlyMap<string, readonly string[]>;

export const units = 'deploy/systemd';
export const unitOf = (part: string): string => `creator-search-${part}.service`;

/** The settings of a unit, whatever their section, with those of its own drop-ins and of the one that all units share. */
export function readUnit(name: string, directory = units): Unit {
  const settings = new Map<string, string[]>();
  const own = existsSync(join(directory, `${name}.d`)) ? readdirSync(join(directory, `${name}.d`)) : [];
  for (const file of [
    name,
    ...own.map((file) => `${name}.d/${file}`),
    'creator-search-.service.d/common.conf',
  ]) {
    for (const line of readFileSync(join(directory, file), 'utf8').split('\n')) {
      const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (key !== '') settings.set(key, [...(settings.get(key) ?? []), value]);
    }
  }
  return settings;
}

/** The one value of a setting. Throws when there is none, or more than one. */
export function valueOf(unit: Unit, key: string): string {
  const [value, ...more] = unit.get(key) ?? [];
  if (value === undefined || more.length > 0) throw new Error(`${key} is not set exactly once`);
  return value;
}

/** The variables that a unit gives its process, before specifiers such as `%d` are replaced. */
export function variablesOf(unit: Unit, fileOf = (path: string): string => path): Record<string, string> {
  const files = (unit.get('EnvironmentFile') ?? []).map(fileOf);
  const missing = files.filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`no ${missing.join(', ')}`);
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const set = [...(unit.get('Environment') ?? []), ...lines.filter((line) => /^\w+=/.test(line))];
  return Object.fromEntries(
    set.map((text) => [text.split('=', 1)[0] ?? '', text.slice(text.indexOf('=') + 1)]),
  );
}

/** The secrets of a unit: the file that systemd reads, by the name under which the process finds it. */
export function credentialsOf(unit: Unit): Record<string, string> {
  const pairs = (unit.get('LoadCredential') ?? []).map((text) => text.split(':') as [string, string]);
  return Object.fromEntries(pairs);
}
