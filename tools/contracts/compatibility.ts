import { type JsonSchema } from '#contracts';
import { type ContractsSnapshot, type DescribedMessage } from './snapshot.js';
import { type Difference, missingFields, widenings } from './widenings.js';

/** Why services of two versions would not understand each other. */
export interface Problem {
  /** `billing.charge payload.credits may be absent: an earlier service refuses that` */
  readonly text: string;
  /** A raised `messageRevision` is enough: a gateway of this version then waits until no earlier replica runs. */
  readonly isCuredByRevision: boolean;
}

/** A change that is made on purpose, by the text of its problem. */
export interface Exception {
  readonly problem: string;
  /** Why it is harmless: for example, no service has used a field since the last release. */
  readonly because: string;
}

/** What is wrong with rolling out `now` while services of `before` run, in both directions of every message. */
export function problemsOf(
  before: ContractsSnapshot,
  now: ContractsSnapshot,
  exceptions: readonly Exception[],
): Problem[] {
  const all = [
    ...messageProblems(before, now),
    ...broadcastProblems(before, now),
    ...errorProblems(before, now),
  ];
  const isExcepted = ({ text }: Problem): boolean => exceptions.some(({ problem }) => problem === text);
  const isRaised = now.revision > before.revision;
  return [
    ...(now.revision < before.revision ? [fatal('messageRevision is lower', 'it only rises')] : []),
    ...(now.revision > before.revision + 1
      ? [fatal('messageRevision has risen twice', 'replicas have leases for the one before only')]
      : []),
    ...all.filter((problem) => !isExcepted(problem) && !(isRaised && problem.isCuredByRevision)),
  ];
}

function messageProblems(before: ContractsSnapshot, now: ContractsSnapshot): Problem[] {
  const known = Object.entries(before.messages).flatMap(([pattern, message]) => {
    const current = now.messages[pattern];
    if (!current) return [fatal(`${pattern} is gone`, 'an earlier service sends it')];
    return [...sendingProblems(pattern, message, current), ...shapeProblems(pattern, message, current)];
  });
  const added = Object.keys(now.messages)
    .filter((pattern) => !(pattern in before.messages))
    .map((pattern) => curable(`${pattern} is new`, 'an earlier service does not know it'));
  return [...known, ...added];
}

function sendingProblems(pattern: string, before: DescribedMessage, now: DescribedMessage): Problem[] {
  const isSentAgain = before.resend_after_ms === null && now.resend_after_ms !== null;
  const isMoved = before.queue !== now.queue;
  return [
    ...(isMoved ? [fatal(`${pattern} has another queue`, 'the limits of the queues differ')] : []),
    ...(isSentAgain
      ? [fatal(`${pattern} is sent again`, 'for an earlier service a second delivery is harmful')]
      : []),
  ];
}

const refusedHere = 'an earlier service sends it so, this one refuses that';
const ignoredHere = 'an earlier service sets it, this one ignores that';
const refusedThere = 'an earlier service refuses that';
const unexpectedThere = 'an earlier service does not expect that';
const unexpectedHere = 'an earlier service replies so, this one does not expect that';

function shapeProblems(pattern: string, before: DescribedMessage, now: DescribedMessage): Problem[] {
  const [was, is] = [before.payload, now.payload];
  return [
    ...each(pattern, widenings(is, was, 'payload'), fatal, refusedHere),
    ...each(pattern, missingFields(was, is, 'payload'), fatal, ignoredHere),
    ...each(pattern, widenings(was, is, 'payload'), curable, refusedThere),
    ...each(pattern, widenings(before.reply, now.reply, 'reply'), fatal, unexpectedThere),
    ...each(pattern, widenings(now.reply, before.reply, 'reply'), curable, unexpectedHere),
  ];
}

/** Subscribers of a broadcast are not waited for: both directions have to work at any time. */
function broadcastProblems(before: ContractsSnapshot, now: ContractsSnapshot): Problem[] {
  return Object.entries(before.broadcasts).flatMap(([event, { payload }]) => {
    const current: JsonSchema | undefined = now.broadcasts[event]?.payload;
    if (!current) return [fatal(`${event} is gone`, 'an earlier service waits for it')];
    return [
      ...each(event, widenings(current, payload, 'payload'), fatal, refusedHere),
      ...each(event, widenings(payload, current, 'payload'), fatal, refusedThere),
    ];
  });
}

function errorProblems(before: ContractsSnapshot, now: ContractsSnapshot): Problem[] {
  return [
    ...now.errors.filter((code) => !before.errors.includes(code)).map((code) => `error ${code} is new`),
    ...before.errors.filter((code) => !now.errors.includes(code)).map((code) => `error ${code} is gone`),
  ].map((change) => fatal(change, 'one of the versions has no status for it'));
}

function each(
  name: string,
  differences: readonly Difference[],
  make: (change: string, reason: string) => Problem,
  reason: string,
): Problem[] {
  return differences.map(({ where, what }) => make(`${name} ${where} ${what}`, reason));
}

function fatal(change: string, reason: string): Problem {
  return { text: `${change}: ${reason}`, isCuredByRevision: false };
}

function curable(change: string, reason: string): Problem {
  return { text: `${change}: ${reason}`, isCuredByRevision: true };
}
