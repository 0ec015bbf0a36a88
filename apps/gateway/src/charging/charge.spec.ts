import { Socket } from 'node:net';
import { type Settlement } from '@app/contracts';
import { createLogger } from '@app/platform';
import { Exchange } from '../edge/connections/exchange.js';
import { Charge } from './charge.js';
import { Settler } from './settler.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const handOverMs = 20_000;

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

describe('a charge', () => {
  let socket: Socket;
  let exchange: Exchange;
  let settler: NotedSettlements;
  let pending: Charge;
  let abandoned: number;

  beforeEach(() => {
    socket = new Socket();
    exchange = new Exchange(socket);
    settler = new NotedSettlements();
    pending = new Charge({
      id: 'charge-1',
      accountId: 'account-1',
      exchange,
      settler,
      whenAbandoned: () => (abandoned += 1),
    });
    abandoned = 0;
  });
  afterEach(() => socket.destroy());

  it('is posted when its answer was handed over whole, and not before', () => {
    pending.begin(3, handOverMs);
    pending.deliver();
    expect(settler.outcomes).toEqual([]);
    exchange.answered();
    expect(settler.outcomes).toEqual(['posted']);
    expect(abandoned).toBe(0);
  });

  it('is voided when the client goes in the middle of the answer', () => {
    pending.begin(3, handOverMs);
    pending.deliver();
    exchange.disconnected();
    expect(settler.outcomes).toEqual(['voided']);
    expect(abandoned).toBe(1);
  });

  it('is voided when the answer counts as written only because its connection is gone', () => {
    pending.begin(3, handOverMs);
    pending.deliver();
    socket.destroy();
    exchange.answered();
    expect(settler.outcomes).toEqual(['voided']);
  });

  it('is voided when another answer than the paid one was handed over', () => {
    pending.begin(3, handOverMs);
    exchange.answered();
    expect(settler.outcomes).toEqual(['voided']);
  });

  it('is voided at once when it is given up, and settled only once', () => {
    pending.begin(3, handOverMs);
    pending.deliver();
    pending.giveUp();
    expect(settler.outcomes).toEqual(['voided']);
    exchange.answered();
    pending.giveUp();
    expect(settler.outcomes).toEqual(['voided']);
    expect(abandoned).toBe(0);
  });

  it('of 0 credits, or that billing refused, has nothing to settle', () => {
    pending.begin(0, handOverMs);
    pending.giveUp();
    pending.begin(3, handOverMs);
    pending.nothingTaken();
    pending.giveUp();
    exchange.disconnected();
    expect(settler.outcomes).toEqual([]);
  });

  it('that was never sent has nothing to settle', () => {
    exchange.disconnected();
    expect(settler.outcomes).toEqual([]);
  });

  it('that takes no credits sets its client no time limit', () => {
    jest.useFakeTimers();
    pending.begin(0, handOverMs);
    jest.advanceTimersByTime(2 * handOverMs);
    pending.begin(3, handOverMs);
    pending.nothingTaken();
    jest.advanceTimersByTime(2 * handOverMs);
    expect(socket.destroyed).toBe(false);
    jest.useRealTimers();
  });

  it('ends the connection of an answer that is not handed over in time', () => {
    jest.useFakeTimers();
    pending.begin(3, handOverMs);
    pending.deliver();
    jest.advanceTimersByTime(handOverMs - 1);
    expect(socket.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(socket.destroyed).toBe(true);
    jest.useRealTimers();
  });

  it('leaves the connection open when the answer was handed over in time', () => {
    jest.useFakeTimers();
    pending.begin(3, handOverMs);
    pending.deliver();
    exchange.answered();
    jest.advanceTimersByTime(2 * handOverMs);
    expect(socket.destroyed).toBe(false);
    jest.useRealTimers();
  });
});
