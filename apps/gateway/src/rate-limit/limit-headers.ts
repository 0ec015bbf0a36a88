import { type LimitDecision } from '#http';
import { type RateLimit } from '#contracts';
import { type FastifyReply } from 'fastify';

/** Says in the headers of an answer how much of a limit is left, after any other limit that its call was counted in. */
export function showLimit(
  reply: FastifyReply,
  group: string,
  { calls, seconds }: RateLimit,
  { remaining, resetSeconds }: Pick<LimitDecision, 'remaining' | 'resetSeconds'>,
): void {
  add(reply, 'ratelimit-policy', `"${group}";q=${calls};w=${seconds}`);
  add(reply, 'ratelimit', `"${group}";r=${remaining};t=${resetSeconds}`);
}

function add(reply: FastifyReply, name: string, item: string): void {
  const others = reply.getHeader(name);
  void reply.header(name, others === undefined ? item : `${String(others)}, ${item}`);
}
