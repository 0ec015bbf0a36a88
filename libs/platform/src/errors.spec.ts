import { once } from 'node:events';
import { connect } from 'node:net';
import { messageOf } from './errors.js';

it('is the sentence of an error, also of one that Node itself made', async () => {
  expect(messageOf(new Error('no room'))).toBe('no room');
  const socket = connect(1, '127.0.0.1');
  const [refused] = (await once(socket, 'error').catch((error: unknown) => [error])) as [unknown];
  expect(messageOf(refused)).toBe('connect ECONNREFUSED 127.0.0.1:1');
});

it('is all sentences of an error that has none of its own', () => {
  const errors = [new Error('first'), new Error('second')];
  expect(messageOf(new AggregateError(errors))).toBe('first; second');
  expect(messageOf(new AggregateError(errors, 'both'))).toBe('both');
});

it('is what was thrown where that is no error', () => {
  expect(messageOf('a word')).toBe('a word');
  expect(messageOf(undefined)).toBe('undefined');
});
