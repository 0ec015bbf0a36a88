import { delimiter, join } from 'node:path';
import { fetchDistributionPackage, isExecutable } from '#dev';

export interface Promtool {
  readonly path: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The tester of Prometheus's rules: installed, else unpacked from the distribution's package; null without either. */
export async function findPromtool(): Promise<Promtool | null> {
  const directories = (process.env.PATH ?? '').split(delimiter);
  const installed = directories.map((directory) => join(directory, 'promtool')).find(isExecutable);
  if (installed) return { path: installed, environment: process.env };
  const unpacked = await fetchDistributionPackage('prometheus');
  return unpacked && { path: join(unpacked.root, 'usr/bin/promtool'), environment: unpacked.environment };
}
