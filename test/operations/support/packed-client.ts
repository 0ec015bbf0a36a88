import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runOrThrow } from '#dev';

interface PackReport {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** The package of the client as it would be published, installed into an empty folder outside of this project. */
export class PackedClient {
  private constructor(
    readonly directory: string,
    /** What is in the package. */
    readonly files: readonly string[],
  ) {}

  /** The client has to be built. */
  static async install(): Promise<PackedClient> {
    const directory = mkdtempSync(join(tmpdir(), 'client-'));
    const options = ['--json', '--ignore-scripts', '--loglevel', 'error', '--pack-destination', directory];
    const output = await runOrThrow('npm', ['pack', ...options], { cwd: resolve('libs/client') });
    const [report] = JSON.parse(output.slice(output.indexOf('['))) as PackReport[];
    if (!report) throw new Error(`npm pack says nothing: ${output}`);
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true }));
    await runOrThrow(
      'npm',
      ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', `./${report.filename}`],
      { cwd: directory },
    );
    return new PackedClient(
      directory,
      report.files.map(({ path }) => path),
    );
  }

  /** Writes a file beside the installed package; returns its path. */
  write(name: string, text: string): string {
    const path = join(this.directory, name);
    writeFileSync(path, text);
    return path;
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

const strict = [
  ...['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'],
  ...[
    '--types',
    'node',
    '--typeRoots',
    resolve('node_modules/@types'),
    '--target',
    'es2023',
    '--module',
    'node16',
  ],
];

/** Compiles files beside the installed package as a strict project that checks its libraries too; throws with the compiler's messages. */
export async function compile({ directory }: PackedClient, files: readonly string[]): Promise<void> {
  const compiler = resolve('node_modules/typescript-native/bin/tsc');
  await runOrThrow(process.execPath, [compiler, ...strict, ...files], { cwd: directory });
}
