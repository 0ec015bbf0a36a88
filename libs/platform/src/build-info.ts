import { readFileSync } from 'node:fs';

/** What this process was built from. */
export interface BuildInfo {
  /** Of package.json. */
  readonly version: string;
  /** 40 hexadecimal digits; `-dirty` follows when the sources differed from the commit; `unknown` outside a build. */
  readonly commit: string;
}

/** Of a build, which has a build.json at its top; of the sources, when these run themselves. */
export const buildInfo: BuildInfo = readBuildInfo();

function readBuildInfo(): BuildInfo {
  const { version, commit = 'unknown' } = readTop('build.json') ?? readTop('package.json') ?? {};
  return { version: version ?? 'unknown', commit };
}

function readTop(file: string): Partial<BuildInfo> | null {
  try {
    return JSON.parse(
      readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8'),
    ) as Partial<BuildInfo>;
  } catch {
    return null;
  }
}
