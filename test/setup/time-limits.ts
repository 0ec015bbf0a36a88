const hookTimeoutMs = 60_000;

/** A hook may start servers and services; a test has the ten seconds of jest.config.mjs. */
for (const name of ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'] as const) {
  const hook = globalThis[name];
  globalThis[name] = (work, timeoutMs = hookTimeoutMs) => {
    hook(work, timeoutMs);
  };
}
