import { type RequestContext } from '#transport';

interface Waiting<Found> {
  readonly hash: string;
  readonly resolve: (found: Found | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Looks up all of them in one message; the answers in their order, `null` or nothing for unknown ones. */
type Ask<Found> = (hashes: readonly string[], context: RequestContext) => Promise<readonly (Found | null)[]>;

const gatherMs = 50;

/** Collects what one network asks for within 50 ms, to look it up together: a network asks 20 times a second at most. */
export class GatheredLookUps<Found> {
  private readonly gathering = new Map<string, Waiting<Found>[]>();

  constructor(private readonly ask: Ask<Found>) {}

  /** With the deadline of the message: the little time that one request may have left is no reason to fail the others. */
  find(hash: string, network: string, context: RequestContext): Promise<Found | null> {
    return new Promise((resolve, reject) => {
      const waiting = { hash, resolve, reject };
      const others = this.gathering.get(network);
      if (others) {
        others.push(waiting);
        return;
      }
      const all = [waiting];
      this.gathering.set(network, all);
      setTimeout(() => {
        this.gathering.delete(network);
        void this.askTogether(all, { requestId: context.requestId });
      }, gatherMs);
    });
  }

  private async askTogether(all: readonly Waiting<Found>[], context: RequestContext): Promise<void> {
    try {
      const found = await this.ask(
        all.map(({ hash }) => hash),
        context,
      );
      all.forEach(({ resolve }, index) => resolve(found[index] ?? null));
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }
}
