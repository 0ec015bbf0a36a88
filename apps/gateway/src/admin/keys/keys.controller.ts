import { Body, Controller, Delete, Get, Param, Patch, Post, Res } from '@nestjs/common';
import {
  createKey,
  deleteKey,
  getKey,
  listKeys,
  type ServiceError,
  updateKey,
  type CreatedKey,
  type KeyView,
} from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { displayPrefix, generateApiKey, hashApiKey } from '@app/platform';
import { type FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { invalidRequest } from '../../requests/invalid-request.js';
import { CallContext } from '../call-context.js';
import { IdempotencyKey } from '../idempotency-key.js';
import { statusOfCreation } from '../status-of-creation.js';
import { accountId, keyId } from '../validation/resource-id.pipe.js';
import { CreateKeyBody, UpdateKeyBody } from './keys.dto.js';

/** The API keys of an account, 5 at most (spec 2.5). A key is shown once, when it is created. */
@Controller('accounts/:account_id/keys')
export class KeysController {
  constructor(private readonly services: ServiceClient) {}

  /** 201 with the new key; 200 with the key that this Idempotency-Key created before, now with a new secret. */
  @Post()
  async create(
    @Param('account_id', accountId) account: string,
    @Body() { name }: CreateKeyBody,
    @IdempotencyKey() idempotencyKey: string,
    @CallContext() context: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedKey> {
    const secret = generateApiKey();
    const request = {
      account_id: account,
      key_id: uuidv7(),
      name,
      idempotency_key: idempotencyKey,
      key_hash: hashApiKey(secret),
      prefix: displayPrefix(secret),
    };
    const { created, key } = await this.services.request(createKey, request, context);
    reply.status(statusOfCreation(created));
    return { ...key, key: secret };
  }

  @Get()
  list(
    @Param('account_id', accountId) account: string,
    @CallContext() context: RequestContext,
  ): Promise<{ keys: KeyView[] }> {
    return this.services.request(listKeys, { account_id: account }, context);
  }

  @Get(':key_id')
  show(
    @Param('account_id', accountId) account: string,
    @Param('key_id', keyId) key: string,
    @CallContext() context: RequestContext,
  ): Promise<KeyView> {
    return this.services.request(getKey, { account_id: account, key_id: key }, context);
  }

  /** Renames a key or switches it on or off; switching off takes effect everywhere within a second. */
  @Patch(':key_id')
  update(
    @Param('account_id', accountId) account: string,
    @Param('key_id', keyId) key: string,
    @Body() { name, active }: UpdateKeyBody,
    @CallContext() context: RequestContext,
  ): Promise<KeyView> {
    if (name === undefined && active === undefined) throw nothingToChange();
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(active === undefined ? {} : { active }),
    };
    return this.services.request(updateKey, { account_id: account, key_id: key, ...change }, context);
  }

  @Delete(':key_id')
  delete(
    @Param('account_id', accountId) account: string,
    @Param('key_id', keyId) key: string,
    @CallContext() context: RequestContext,
  ): Promise<{ deleted: true }> {
    return this.services.request(deleteKey, { account_id: account, key_id: key }, context);
  }
}

function nothingToChange(): ServiceError {
  const problem = 'give name, active or both';
  return invalidRequest({ name: [problem], active: [problem] });
}
