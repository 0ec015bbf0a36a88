import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { guardDirectory } from '@app/local-stack';
import { root } from '../bootstrap/paths.mjs';
import { type Fault } from './fault.js';

interface Place {
  readonly file: string;
  readonly original: string;
  readonly planted: string;
  readonly spec: string;
}

const copied = [
  'apps',
  'libs',
  'test/setup',
  'docs/openapi.json',
  'jest.config.mjs',
  'package.json',
  'tsconfig.json',
];

/** The server is given, and nothing is built: no named spec needs a program. */
const jestConfig = `import config from './jest.config.mjs';
const projects = config.projects
  .filter(({ displayName }) => ['unit', 'int'].includes(displayName))
  .map(({ globalSetup, globalTeardown, ...project }) => project);
export default { ...config, projects, reporters: ['default'] };
`;

const sources = ['apps', 'libs']
  .flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file)),
  )
  .filter((file) => /\.tsx?$/.test(file));
const specs = sources.filter((file) => /spec\.ts$/.test(file));
const texts = sources
  .filter((file) => !/(spec|\.fixture)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** Whether a source of apps and libs has this name. */
export function isSource(name: string): boolean {
  return sources.some((file) => file.endsWith(`/${name}`));
}

/** Where a fault goes. Throws when its text or its spec does not occur exactly once. */
export function placeOf({ name, find, replace, spec }: Fault): Place {
  const words = find.trim().split(/\s+/);
  const pattern = words.map((word) => word.replace(/[^\w]/g, '\\$&')).join('\\s+');
  const expression = new RegExp(`(?<![\\w.])${pattern}`, 'g');
  const found = texts.flatMap(({ file, text }) => [...text.matchAll(expression)].map(() => ({ file, text })));
  const [place, ...others] = found;
  const [only, ...otherSpecs] = specs.filter((file) => file.endsWith(`/${spec}`));
  if (!place || others.length > 0) throw new Error(`${name}: "${find}" does not occur exactly once`);
  if (!only || otherSpecs.length > 0) throw new Error(`${name}: there is not exactly one spec ${spec}`);
  const planted = place.text.replace(expression, () => replace);
  return { file: place.file, original: place.text, planted, spec: only };
}

/** A copy of the sources in which faults are planted; the tree itself is only read. It is removed with this process. */
export class Workspace {
  readonly jestConfig: string;
  private readonly directory: string;

  constructor() {
    mkdirSync(join(root, '.local'), { recursive: true });
    this.directory = mkdtempSync(join(root, '.local/mutants-'));
    guardDirectory(this.directory);
    for (const name of copied) cpSync(join(root, name), this.path(name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), this.path('node_modules'));
    this.jestConfig = this.path('jest.mutants.config.mjs');
    writeFileSync(this.jestConfig, jestConfig);
  }

  path(file: string): string {
    return join(this.directory, file);
  }

  async withFault<Result>({ file, original, planted }: Place, work: () => Promise<Result>): Promise<Result> {
    writeFileSync(this.path(file), planted);
    try {
      return await work();
    } finally {
      writeFileSync(this.path(file), original);
    }
  }
}
