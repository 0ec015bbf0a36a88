import { fileURLToPath } from 'node:url';

/** The directory of this checkout. Read so that it also works on a Node.js that is too old, which is reported later. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');
