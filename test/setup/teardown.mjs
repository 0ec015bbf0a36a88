/** Stops what the set-up of this run started. A run that is killed leaves nothing either: see libs/local-stack/src/processes/guardian.ts. */
export default async function teardown() {
  await globalThis.stopTestServers?.();
  delete globalThis.stopTestServers;
}
