/** Callers of one kind, each with one call at a time. */
export interface CallerGroup {
  readonly name: string;
  readonly callers: number;
  readonly keys: readonly string[];
  /** Each path of the calls, in turn. */
  readonly paths: readonly string[];
  /** Whether a caller keeps its key, or the keys take turns with every call, as the rate limit of searches asks for. */
  readonly keyFor: 'caller' | 'call';
}

/** So many callers, each of whom calls again as soon as it is answered or refused. */
export interface ClosedLoad {
  readonly kind: 'closed';
  readonly groups: readonly CallerGroup[];
  /** Ends early after so many calls. */
  readonly callsMost?: number;
}

/** So many calls a second, whether or not they are answered. */
export interface OpenLoad {
  readonly kind: 'open';
  readonly perSecond: number;
  readonly keys: readonly string[];
  readonly path: string;
}

/** So many calls at once, over connections that have to be made first. */
export interface BurstLoad {
  readonly kind: 'burst';
  readonly calls: number;
  readonly keys: readonly string[];
  readonly path: string;
}

/** What the parent process asks the generator for. */
export interface Order {
  readonly origin: string;
  readonly load: ClosedLoad | OpenLoad | BurstLoad;
  /** Of the same load before it is measured. */
  readonly settlingSeconds: number;
  /** Measured. */
  readonly seconds: number;
}

/** Of the calls that ended while it was measured; times in ms from the sending of a call to the last byte of its answer. */
export interface GroupResult {
  readonly name: string;
  /** Of the whole load, also what ended before it was measured or after. */
  readonly calls: number;
  readonly answered: number;
  readonly refused: number;
  /** Status, or what went wrong with a connection, and how often. */
  readonly others: Readonly<Record<string, number>>;
  readonly answeredMeanMs: number;
  readonly answeredP50Ms: number;
  readonly answeredP99Ms: number;
  readonly refusedP50Ms: number;
  readonly refusedP99Ms: number;
}

export interface LoadResult {
  readonly groups: readonly GroupResult[];
  /** How long it was measured in fact. */
  readonly seconds: number;
  /** Calls of an open load that could not be sent, because every connection was waiting for an answer. */
  readonly unsent: number;
  /** CPU time of the generator, as a share of one core. */
  readonly generatorCpu: number;
}
