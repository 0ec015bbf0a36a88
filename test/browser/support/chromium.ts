import { delimiter, join } from 'node:path';
import { isExecutable, run } from '#dev';

const commands = ['chromium', 'chromium-browser', 'google-chrome'];

export const missingChromium =
  'No browser was found: install Chromium (Debian: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.';

/** The browser of CHROMIUM_PATH, else the first Chromium or Chrome on PATH; null without one. */
function findChromium({ CHROMIUM_PATH, PATH = '' }: NodeJS.ProcessEnv): string | null {
  if (CHROMIUM_PATH) {
    if (isExecutable(CHROMIUM_PATH)) return CHROMIUM_PATH;
    throw new Error(`CHROMIUM_PATH is no program: ${CHROMIUM_PATH}`);
  }
  const directories = PATH.split(delimiter).filter((directory) => directory !== '');
  const paths = commands.flatMap((name) => directories.map((directory) => join(directory, name)));
  return paths.find(isExecutable) ?? null;
}

/**
 * The browser of this machine; null, with a message, when it has none. With CI=true it is installed where that is
 * possible, and a missing browser is an error: a run that skips these suites would prove less than it seems to.
 */
export async function provideChromium(): Promise<string | null> {
  const found = findChromium(process.env);
  if (found !== null) return found;
  if (process.env.CI !== 'true') {
    process.stderr.write(`\nThe tests that need a browser are skipped. ${missingChromium}\n`);
    return null;
  }
  if (process.getuid?.() === 0) await installChromium();
  const installed = findChromium(process.env);
  if (installed === null) throw new Error(missingChromium);
  return installed;
}

/** By the package of the distribution, whose lists are fetched first. */
async function installChromium(): Promise<void> {
  process.stderr.write('\nInstalling Chromium ...\n');
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update'], options);
  const { code, output } = await run(
    'apt-get',
    ['install', '-y', '--no-install-recommends', 'chromium'],
    options,
  );
  if (code !== 0) process.stderr.write(`${output}\n`);
}
