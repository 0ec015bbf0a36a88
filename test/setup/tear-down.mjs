/** Stops what the set-up has started. A run that is killed leaves nothing either: see tools/dev/processes/guardian.ts. */
export default async function tearDown() {
  await Reflect.get(globalThis, 'stopTestServers')?.();
  Reflect.deleteProperty(globalThis, 'stopTestServers');
}
