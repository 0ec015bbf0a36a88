import { once } from 'node:events';
import { connect } from 'node:net';
import { messageOf } from './errors.js';

it('messageOf returns the message of an error, also of one that Node made', async () => {
  expect(messageOf(new Error('no room'))).toBe('no room');
  const socket = connect(1, '127.0.0.1');
  const [refused] = (await once(socket, 'error').catch((error: unknown) => [error])) as [unknown];
  expect(messageOf(refused)).toBe('connect ECONNREFUSED 127.0.0.1:1');
});

it('messageOf joins the messages of an error without its own', () => {
  const errors = [new Error('first'), new Error('second')];
  expect(messageOf(new AggregateError(errors))).toBe('first; second');
  expect(messageOf(new AggregateError(errors, 'both'))).toBe('both');
});

it('messageOf converts anything else that was thrown to a string', () => {
  expect(messageOf('a word')).toBe('a word');
  expect(messageOf(undefined)).toBe('undefined');
});
