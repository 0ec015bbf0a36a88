import { readFileSync } from 'node:fs';
import { projectRoot } from './project-root.js';

/** What this process was built from. */
export interface BuildInfo {
  /** Version in package.json. */
  readonly version: string;
  /** 40 hexadecimal digits; `-dirty` follows when the sources differed from the commit; `unknown` outside a build. */
  readonly commit: string;
}

/** Version and commit of the newest build; only the version when sources run without a build. */
export const buildInfo: BuildInfo = readBuildInfo();

function readBuildInfo(): BuildInfo {
  const { version, commit = 'unknown' } = readFile('dist/build.json') ?? readFile('package.json') ?? {};
  return { version: version ?? 'unknown', commit };
}

function readFile(file: string): Partial<BuildInfo> | null {
  try {
    return JSON.parse(readFileSync(new URL(file, projectRoot), 'utf8')) as Partial<BuildInfo>;
  } catch {
    return null;
  }
}
