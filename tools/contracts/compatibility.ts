import { type ContractsSnapshot, type DescribedMessage } from './snapshot.js';
import { missingFields, widenings } from './widenings.js';

/** Why services of two versions would not understand each other. */
export interface Problem {
  /** `billing.charge payload.credits may be absent: an earlier service does not know that` */
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
  const isRaised = now.revision > before.revision;
  const all = [
    ...messageProblems(before, now),
    ...broadcastProblems(before, now),
    ...errorProblems(before, now),
  ];
  return [
    ...(now.revision < before.revision ? [fatal('messageRevision is lower', 'it only rises')] : []),
    ...(now.revision > before.revision + 1
      ? [fatal('messageRevision has risen twice', 'replicas have leases for the one before only')]
      : []),
    ...all
      .filter(({ text }) => !exceptions.some(({ problem }) => problem === text))
      .filter(({ isCuredByRevision }) => !(isRaised && isCuredByRevision)),
  ];
}

function messageProblems(before: ContractsSnapshot, now: ContractsSnapshot): Problem[] {
  const patterns = Object.keys({ ...before.messages, ...now.messages });
  return patterns.flatMap((pattern) => {
    const [was, is] = [before.messages[pattern], now.messages[pattern]];
    if (!is) return [fatal(`${pattern} is gone`, reliedOn)];
    if (!was) return [curable(`${pattern} is new`)];
    const isSentAgain = was.resend_after_ms === null && is.resend_after_ms !== null;
    const harmful = 'for an earlier service a second delivery is harmful';
    return [
      ...(was.queue === is.queue
        ? []
        : [fatal(`${pattern} has another queue`, 'the limits of the queues differ')]),
      ...(isSentAgain ? [fatal(`${pattern} is sent again`, harmful)] : []),
      ...[...misunderstood(was, is), ...missingFields(was.payload, is.payload, 'payload')].map((change) =>
        fatal(`${pattern} ${change}`, reliedOn),
      ),
      ...misunderstood(is, was).map((change) => curable(`${pattern} ${change}`)),
    ];
  });
}

const reliedOn = 'an earlier service relies on it';

/** What a receiver refuses of the payload, and a sender does not expect of the reply. */
function misunderstood(sender: DescribedMessage, receiver: DescribedMessage): string[] {
  return [
    ...widenings(receiver.payload, sender.payload, 'payload'),
    ...widenings(sender.reply, receiver.reply, 'reply'),
  ];
}

/** Subscribers of a broadcast are not waited for: both directions have to work at any time. */
function broadcastProblems(before: ContractsSnapshot, now: ContractsSnapshot): Problem[] {
  return Object.entries(before.broadcasts).flatMap(([event, { payload: was }]) => {
    const is = now.broadcasts[event]?.payload;
    const changes = is ? [...widenings(is, was, 'payload'), ...widenings(was, is, 'payload')] : ['is gone'];
    return changes.map((change) => fatal(`${event} ${change}`, reliedOn));
  });
}

/** Error codes of one version that the other has no status for. */
function errorProblems(before: ContractsSnapshot, now: ContractsSnapshot): Problem[] {
  const codes = ({ errors }: ContractsSnapshot) => ({ enum: errors });
  return [
    ...widenings(codes(before), codes(now), 'now'),
    ...widenings(codes(now), codes(before), 'before'),
  ].map((change) => fatal(`an error ${change}`, 'the other version has no status for it'));
}

function fatal(change: string, reason: string): Problem {
  return { text: `${change}: ${reason}`, isCuredByRevision: false };
}

function curable(change: string): Problem {
  return { text: `${change}: an earlier service does not know that`, isCuredByRevision: true };
}
