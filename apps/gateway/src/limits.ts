import { freeCallLimit, jsonDepthMax, keyLimit, unpayableSearchLimit } from '#contracts';
import { kibibyte, limitsOf, type LimitTable, mebibyte, reportsAtOnce, reportsWaiting } from '#http';

/**
 * Every limit of the gateway that is not a setting: its value, what it counts, and what it is for. docs/security.md has this
 * table (`tools/docs/pages.spec.ts` compares). A stranger is a client without a key that is known.
 */
export const limitTable = {
  strangerRequests: [500, 'requests of strangers at once, per network', 'floods'],
  strangerRequestsPerSecond: [100, 'further ones a second, per network', 'floods'],
  strangerRequestBytes: [64 * kibibyte, 'bytes of a body that count as one more', 'floods of large bodies'],
  strangerCosts: [24, 'more that a body in chunks counts as', 'one-byte chunks'],
  strangerWaitMs: [
    5_000,
    'ms until one that waits gets a 503',
    'floods: an answer at once would speed them up',
  ],
  strangerShare: [0.75, 'part of `CALLS_IN_WORK_MAX` for strangers', 'made-up keys'],
  bodyMemory: [32 * mebibyte, 'bytes of bodies and waiting requests', 'bodies that are held back'],
  bodyMemoryOfNetwork: [8 * mebibyte, 'bytes of them, per network', 'bodies that are held back'],
  headersMs: [4_000, 'ms until a head has arrived', 'slow senders'],
  requestMs: [10_000, 'ms until a request has arrived', 'slow senders'],
  urlLength: [8_192, 'characters of a URL', 'parsing'],
  headers: [100, 'headers', 'parsing'],
  body: [64 * kibibyte, 'bytes of a body', 'a look-up of 100 long links fits'],
  bodyWithoutKey: [8 * kibibyte, 'bytes of a body without a key', 'MCP messages that call no tool fit'],
  jsonDepth: [jsonDepthMax, 'levels of nested JSON', 'parsing'],
  pipelined: [16, 'waiting requests of a connection', 'requests sent ahead'],
  pipelinedBytes: [64 * kibibyte, 'bytes of their heads', 'requests sent ahead'],
  reportsAtOnce: [reportsAtOnce, 'reports at once, per account', 'reports delay each other'],
  reportsWaiting: [reportsWaiting, 'reports that wait, per account', 'a page has several'],
  keyCalls: [
    keyLimit,
    'searches per key, look-ups per account, other free calls per key',
    'the specification',
  ],
  abandonedCalls: [keyLimit, 'paid calls left before their answer, per key', 'they are free'],
  freeCalls: [freeCallLimit, 'free searches and profiles, per account', 'each leaves a row'],
  unpayableSearches: [
    unpayableSearchLimit,
    'searches that cannot be paid, per account',
    'a 402 says that one matches',
  ],
} as const satisfies LimitTable;

/** The values of the table. */
export const limits = limitsOf(limitTable);

/** How many times as much as an IPv4 address or a /64 a /56 and a /48 may have: of memory, connections and work. */
export const networkTimes = [1, 1.25, 1.5] as const;
