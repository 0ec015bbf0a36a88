import {
  type AccountDetail,
  type AccountView,
  createAccount,
  CreateAccountBody,
  createKey,
  CreateKeyBody,
  type CreatedKey,
  deleteKey,
  getAccount,
  getKey,
  type KeyView,
  listAccounts,
  ListAccountsRequest,
  listKeys,
  resumeAccount,
  RotateKeyBody,
  rotateKey,
  suspendAccount,
  SuspendAccountBody,
  updateAccount,
  UpdateAccountBody,
  updateKey,
  UpdateKeyBody,
} from '#contracts';
import { displayPrefix, generateApiKey, hashApiKey } from '#platform';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { Call, CurrentCall } from '../requests/call.js';
import { Area } from './operators/roles.js';
import { AccountId, IdempotencyKey, KeyId } from './parameters.js';

/** Accounts with their balances, and their API keys. A key is shown once, when it is created. */
@Area('accounts')
@Controller('accounts')
export class AccountsController {
  constructor(private readonly services: ServiceClient) {}

  /** 201 with the new account; 200 with the one that this Idempotency-Key created before. */
  @Post()
  async create(
    @Body() body: CreateAccountBody,
    @IdempotencyKey() idempotency_key: string,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountView> {
    const request = { ...body, account_id: uuidv7(), idempotency_key };
    const { created, account } = await this.services.request(createAccount, request, call);
    reply.status(created ? 201 : 200);
    return account;
  }

  @Get()
  async list(
    @Query() page: ListAccountsRequest,
    @CurrentCall() call: Call,
  ): Promise<{ accounts: AccountView[]; next_cursor: string | null }> {
    const { items, next_cursor } = await this.services.request(listAccounts, page, call);
    return { accounts: items, next_cursor };
  }

  /** One account with its lots, oldest first. */
  @Get(':account_id')
  show(@AccountId() account_id: string, @CurrentCall() call: Call): Promise<AccountDetail> {
    return this.services.request(getAccount, { account_id }, call);
  }

  /** The keys of the account are refused within a second everywhere, and nothing is charged from now on. */
  @Post(':account_id/suspend')
  @HttpCode(200)
  suspend(
    @AccountId() account_id: string,
    @Body() { reason }: SuspendAccountBody,
    @CurrentCall() call: Call,
  ): Promise<AccountView> {
    return this.services.request(suspendAccount, { account_id, reason }, call);
  }

  @Post(':account_id/resume')
  @HttpCode(200)
  resume(@AccountId() account_id: string, @CurrentCall() call: Call): Promise<AccountView> {
    return this.services.request(resumeAccount, { account_id }, call);
  }

  /** Changes the name or the address; members stay as they are. */
  @Patch(':account_id')
  update(
    @AccountId() account_id: string,
    @Body() change: UpdateAccountBody,
    @CurrentCall() call: Call,
  ): Promise<AccountView> {
    return this.services.request(updateAccount, { account_id, ...change }, call);
  }

  /** 201 with the new key; 200 with the key that this Idempotency-Key created before, now with a new secret. */
  @Post(':account_id/keys')
  async createKey(
    @AccountId() account_id: string,
    @Body() body: CreateKeyBody,
    @IdempotencyKey() idempotency_key: string,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedKey> {
    const secret = generateApiKey(body.mode);
    const request = {
      account_id,
      key_id: uuidv7(),
      ...body,
      idempotency_key,
      key_hash: hashApiKey(secret),
      prefix: displayPrefix(secret),
    };
    const { created, key } = await this.services.request(createKey, request, call);
    reply.status(created ? 201 : 200);
    return { ...key, key: secret };
  }

  /** Gives a key a new secret; the one before works on for the overlap. */
  @Post(':account_id/keys/:key_id/rotate')
  @HttpCode(200)
  async rotateKey(
    @AccountId() account_id: string,
    @KeyId() key_id: string,
    @Body() { overlap_hours }: RotateKeyBody,
    @IdempotencyKey() idempotency_key: string,
    @CurrentCall() call: Call,
  ): Promise<CreatedKey> {
    const { mode } = await this.services.request(getKey, { account_id, key_id }, call);
    const secret = generateApiKey(mode);
    const request = {
      account_id,
      key_id,
      overlap_hours,
      rotation_id: uuidv7(),
      idempotency_key,
      key_hash: hashApiKey(secret),
      prefix: displayPrefix(secret),
    };
    return { ...(await this.services.request(rotateKey, request, call)), key: secret };
  }

  @Get(':account_id/keys')
  listKeys(@AccountId() account_id: string, @CurrentCall() call: Call): Promise<{ keys: KeyView[] }> {
    return this.services.request(listKeys, { account_id }, call);
  }

  @Get(':account_id/keys/:key_id')
  showKey(
    @AccountId() account_id: string,
    @KeyId() key_id: string,
    @CurrentCall() call: Call,
  ): Promise<KeyView> {
    return this.services.request(getKey, { account_id, key_id }, call);
  }

  /** Renames a key, switches it on or off or changes its expiry; switching off takes effect everywhere within a second. */
  @Patch(':account_id/keys/:key_id')
  updateKey(
    @AccountId() account_id: string,
    @KeyId() key_id: string,
    @Body() change: UpdateKeyBody,
    @CurrentCall() call: Call,
  ): Promise<KeyView> {
    return this.services.request(updateKey, { account_id, key_id, ...change }, call);
  }

  @Delete(':account_id/keys/:key_id')
  deleteKey(
    @AccountId() account_id: string,
    @KeyId() key_id: string,
    @CurrentCall() call: Call,
  ): Promise<{ deleted: true }> {
    return this.services.request(deleteKey, { account_id, key_id }, call);
  }
}
