import { delimiter, join } from 'node:path';
import { fetchDistributionPackage, findPostgres, isExecutable, run } from '@app/local-stack';

/** The programs of deploy/postgres-ha, and the environment that they need here. */
export interface HaPrograms {
  readonly etcd: string;
  readonly patroni: string;
  readonly patronictl: string;
  readonly haproxy: string;
  /** Contains `postgres`. */
  readonly postgresDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const directories = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];

/** Installed, else unpacked from the distribution's packages; null without either. */
export async function findHaPrograms(): Promise<HaPrograms | null> {
  const roots: string[] = [];
  const libraries: string[] = [];
  const find = async (program: string, packageName: string): Promise<string> => {
    const installed = directories.map((directory) => join(directory, program)).find(isExecutable);
    if (installed) return installed;
    const unpacked = await fetchDistributionPackage(packageName);
    if (!unpacked) return '';
    roots.push(unpacked.root);
    libraries.push(unpacked.environment.LD_LIBRARY_PATH ?? '');
    return directories.map((directory) => join(unpacked.root, directory, program)).find(isExecutable) ?? '';
  };
  const { directory, environment } = await findPostgres();
  const programs = {
    etcd: await find('etcd', 'etcd-server'),
    patroni: await find('patroni', 'patroni'),
    patronictl: await find('patronictl', 'patroni'),
    haproxy: await find('haproxy', 'haproxy'),
    postgresDirectory: directory,
    environment: {
      ...environment,
      ...(libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {}),
      PYTHONPATH: roots.map((root) => join(root, 'usr/lib/python3/dist-packages')).join(':'),
    },
  };
  const { code } = await run(programs.patroni, ['--version'], { env: programs.environment });
  const hasAll = code === 0 && programs.etcd !== '' && programs.haproxy !== '';
  return hasAll && isExecutable(join(directory, 'pg_basebackup')) ? programs : null;
}
