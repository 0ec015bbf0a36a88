import { type FastifyRequest } from 'fastify';
import { networkOf } from '../../network/network-of.js';

const userAgentLengthMax = 300;

/** Where a sign-in comes from, as the list of sessions shows it. */
export function senderOf({ ip, headers }: FastifyRequest): { network: string; user_agent: string } {
  const agent = (headers['user-agent'] ?? '').replace(/\p{Cc}/gu, ' ').trim();
  return {
    network: networkOf(ip),
    user_agent: agent.slice(0, userAgentLengthMax) || 'not known',
  };
}
