import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type Settlement } from '@app/contracts';
import { createLogger } from '@app/platform';
import { OpenCharge } from './open-charge.js';
import { Settler } from './settler.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

/** A settler that notes what it is told. */
class NotedSettlements extends Settler {
  readonly outcomes: Settlement['outcome'][] = [];

  constructor() {
    super({ request: () => Promise.reject(new Error('nothing is sent')) }, logger);
  }

  override settle({ outcome }: Settlement): void {
    this.outcomes.push(outcome);
  }
}

describe('an open charge', () => {
  let response: ServerResponse;
  let settler: NotedSettlements;
  let open: OpenCharge;

  beforeEach(() => {
    response = new ServerResponse(new IncomingMessage(new Socket()));
    settler = new NotedSettlements();
    open = new OpenCharge('charge-1', 'account-1', response, settler);
  });

  /** Hands the response over whole; resolves when the last byte has left. */
  async function handOver(): Promise<void> {
    response.assignSocket(new SinkSocket());
    const finished = new Promise((resolve) => response.once('finish', resolve));
    response.end('body');
    await finished;
  }

  it('is posted when its response was handed over whole, once it is closed and not before', async () => {
    open.begin(3);
    open.deliver();
    await handOver();
    expect(settler.outcomes).toEqual([]);
    response.emit('close');
    expect(settler.outcomes).toEqual(['posted']);
  });

  it('is voided when the client goes in the middle of the response', () => {
    open.begin(3);
    open.deliver();
    response.emit('close');
    expect(settler.outcomes).toEqual(['voided']);
  });

  it('is voided when another response than the paid one was handed over', async () => {
    open.begin(3);
    await handOver();
    response.emit('close');
    expect(settler.outcomes).toEqual(['voided']);
  });

  it('is voided at once when it is given up, and settled only once', async () => {
    open.begin(3);
    open.deliver();
    open.giveUp();
    expect(settler.outcomes).toEqual(['voided']);
    await handOver();
    response.emit('close');
    open.giveUp();
    expect(settler.outcomes).toEqual(['voided']);
  });

  it('of nothing, or that billing refused, has nothing to settle', () => {
    open.begin(0);
    open.giveUp();
    open.begin(3);
    open.nothingTaken();
    open.giveUp();
    response.emit('close');
    expect(settler.outcomes).toEqual([]);
  });
});

/** Takes everything at once. */
class SinkSocket extends Socket {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }

  override _writev(_chunks: unknown, done: () => void): void {
    done();
  }
}
