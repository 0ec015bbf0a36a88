import { Socket } from 'node:net';
import { type Settlement } from '@app/contracts';
import { createLogger } from '@app/platform';
import { Exchange } from '../connections/exchange.js';
import { OpenCharge } from './open-charge.js';
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

describe('an open charge', () => {
  let socket: Socket;
  let exchange: Exchange;
  let settler: NotedSettlements;
  let open: OpenCharge;
  let abandoned: number;

  beforeEach(() => {
    socket = new Socket();
    exchange = new Exchange(socket);
    settler = new NotedSettlements();
    open = new OpenCharge('charge-1', 'account-1', exchange, settler, () => (abandoned += 1));
    abandoned = 0;
  });
  afterEach(() => socket.destroy());

  it('is posted when its answer was handed over whole, and not before', () => {
    open.begin(3, handOverMs);
    open.deliver();
    expect(settler.outcomes).toEqual([]);
    exchange.answered();
    expect(settler.outcomes).toEqual(['posted']);
    expect(abandoned).toBe(0);
  });

  it('is voided when the client goes in the middle of the answer', () => {
    open.begin(3, handOverMs);
    open.deliver();
    exchange.disconnected();
    expect(settler.outcomes).toEqual(['voided']);
    expect(abandoned).toBe(1);
  });

  it('is voided when the answer counts as written only because its connection is gone', () => {
    open.begin(3, handOverMs);
    open.deliver();
    socket.destroy();
    exchange.answered();
    expect(settler.outcomes).toEqual(['voided']);
  });

  it('is voided when another answer than the paid one was handed over', () => {
    open.begin(3, handOverMs);
    exchange.answered();
    expect(settler.outcomes).toEqual(['voided']);
  });

  it('is voided at once when it is given up, and settled only once', () => {
    open.begin(3, handOverMs);
    open.deliver();
    open.giveUp();
    expect(settler.outcomes).toEqual(['voided']);
    exchange.answered();
    open.giveUp();
    expect(settler.outcomes).toEqual(['voided']);
    expect(abandoned).toBe(0);
  });

  it('of 0 credits, or that billing refused, has nothing to settle', () => {
    open.begin(0, handOverMs);
    open.giveUp();
    open.begin(3, handOverMs);
    open.nothingTaken();
    open.giveUp();
    exchange.disconnected();
    expect(settler.outcomes).toEqual([]);
  });

  it('that was never sent has nothing to settle', () => {
    exchange.disconnected();
    expect(settler.outcomes).toEqual([]);
  });

  it('that takes no credits sets its client no time limit', () => {
    jest.useFakeTimers();
    open.begin(0, handOverMs);
    jest.advanceTimersByTime(2 * handOverMs);
    open.begin(3, handOverMs);
    open.nothingTaken();
    jest.advanceTimersByTime(2 * handOverMs);
    expect(socket.destroyed).toBe(false);
    jest.useRealTimers();
  });

  it('ends the connection of an answer that is not handed over in time', () => {
    jest.useFakeTimers();
    open.begin(3, handOverMs);
    open.deliver();
    jest.advanceTimersByTime(handOverMs - 1);
    expect(socket.destroyed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(socket.destroyed).toBe(true);
    jest.useRealTimers();
  });

  it('leaves the connection open when the answer was handed over in time', () => {
    jest.useFakeTimers();
    open.begin(3, handOverMs);
    open.deliver();
    exchange.answered();
    jest.advanceTimersByTime(2 * handOverMs);
    expect(socket.destroyed).toBe(false);
    jest.useRealTimers();
  });
});
