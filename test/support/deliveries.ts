import { type LedgerEntry } from './admin-api.js';
import { type CreditFields } from './public-api.js';
import { chargesByRequest } from './reckoning.js';
import { type WireAnswer } from '#testing';

/** What may be said of one request that a client has sent. */
export interface Delivery {
  /** Sent as `x-request-id`: of this request only. */
  readonly requestId: string;
  /** `whole`: all of its answer arrived. `perhaps`: all of it may have left the server. `no`: a part of it never did. */
  readonly arrived: 'whole' | 'perhaps' | 'no';
  /** Of the answer that arrived; else of a success. */
  readonly credits: number;
}

/** Where the ledger breaks the rule: a client pays for each answer that arrived whole, and for nothing that did not leave whole. */
export interface Breaches {
  readonly creditsTaken: number;
  /** Of what arrived whole, and of what may have left whole besides. */
  readonly creditsArrived: number;
  readonly creditsPerhaps: number;
  /** Requests for which fewer credits were taken than their answers, which arrived, say. */
  readonly underpaid: string[];
  /** Requests for which more were taken than what may have left the server costs. */
  readonly overpaid: string[];
  /** Charges of requests that the client did not send. */
  readonly foreign: string[];
}

/** Compares the entries of an account with what became of the requests that were sent with its keys. */
export function breachesOf(deliveries: readonly Delivery[], entries: readonly LedgerEntry[]): Breaches {
  const { taken } = chargesByRequest(entries);
  const takenFor = ({ requestId }: Delivery): number => taken.get(requestId) ?? 0;
  const arrived = deliveries.filter((delivery) => delivery.arrived === 'whole');
  const perhaps = deliveries.filter((delivery) => delivery.arrived === 'perhaps');
  const costsMost = ({ arrived: state, credits }: Delivery): number => (state === 'no' ? 0 : credits);
  const known = new Set(deliveries.map(({ requestId }) => requestId));
  return {
    creditsTaken: sumOf([...taken.values()]),
    creditsArrived: sumOf(arrived.map(({ credits }) => credits)),
    creditsPerhaps: sumOf(perhaps.map(({ credits }) => credits)),
    underpaid: idsOf(arrived.filter((delivery) => takenFor(delivery) < delivery.credits)),
    overpaid: idsOf(deliveries.filter((delivery) => takenFor(delivery) > costsMost(delivery))),
    foreign: [...taken.keys()].filter((id) => !known.has(id)),
  };
}

/** Credits that an answer says it has cost; an error costs none. */
export function creditsOf(answer: WireAnswer): number {
  if (answer.status !== 200) return 0;
  return (JSON.parse(answer.body.toString('utf8')) as CreditFields).credits_used;
}

function idsOf(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ requestId }) => requestId);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
