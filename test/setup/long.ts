import { buildClient } from '../../tools/bootstrap/build.mjs';
import startPostgres from './int.js';
import { type Stop } from './stop.js';

/** What the int and the operations suites have: these are the long ones of both. */
export default async function setUp(): Promise<Stop | undefined> {
  await buildClient();
  return startPostgres();
}
