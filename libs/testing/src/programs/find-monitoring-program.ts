import { delimiter, join } from 'node:path';
import { fetchDistributionPackage, isExecutable } from '#dev';

export type MonitoringProgram = NonNullable<Awaited<ReturnType<typeof findMonitoringProgram>>>;

/** The distribution's package of each program: the tester of Prometheus's rules, and what sends alerts on. */
const packages = { promtool: 'prometheus', 'prometheus-alertmanager': 'prometheus-alertmanager' } as const;

/** A program of Prometheus: installed, else unpacked from the distribution's package; null without either. */
export async function findMonitoringProgram(name: keyof typeof packages) {
  const directories = (process.env.PATH ?? '').split(delimiter);
  const installed = directories.map((directory) => join(directory, name)).find(isExecutable);
  if (installed) return { path: installed, environment: process.env };
  const unpacked = await fetchDistributionPackage(packages[name]);
  return unpacked && { path: join(unpacked.root, 'usr/bin', name), environment: unpacked.environment };
}
