import { authenticateAdmin, ServiceError } from '#contracts';
import { CONFIG, isSameSecret, isWellFormedAdminToken, sha256 } from '#platform';
import { ServiceClient } from '#transport';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type GatewayConfig } from '../../config/gateway-config.js';
import { bearerToken } from '../../requests/call.js';

/** Identifies the operator of a request to the admin API. */
@Injectable()
export class AdminAuthenticator {
  constructor(
    private readonly services: ServiceClient,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'ADMIN_TOKEN'>,
  ) {}

  /**
   * Gives the call its operator. `ADMIN_TOKEN` is accepted without billing, so that it works when little else does; any other
   * token is looked up for each request, so that one that was withdrawn is refused at once. Throws `unauthorized`.
   */
  async authenticate({ call, headers }: FastifyRequest): Promise<void> {
    const token = bearerToken(headers.authorization);
    if (token === undefined) throw unauthorized();
    // Hashed, so that the comparison takes the same time for any length.
    if (isSameSecret(sha256(token), sha256(this.config.ADMIN_TOKEN))) {
      call.operator = { id: null, name: 'ADMIN_TOKEN', role: 'all' };
      return;
    }
    if (!isWellFormedAdminToken(token)) throw unauthorized();
    const { admin } = await this.services.request(authenticateAdmin, { token_hash: sha256(token) }, call);
    if (admin === null) throw unauthorized();
    call.operator = admin;
  }
}

function unauthorized(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'The admin token is missing, unknown or withdrawn: send Authorization: Bearer <ADMIN_TOKEN>.',
  );
}
