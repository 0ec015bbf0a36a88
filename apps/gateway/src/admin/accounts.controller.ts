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
  AccountPath,
  KeyPath,
} from '#contracts';
import { displayPrefix, generateApiKey, hashApiKey } from '#platform';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { Call, CurrentCall } from '../requests/call.js';
import { Area } from './operators/roles.js';
import { IdempotencyKey, Path } from './parameters.js';

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
  show(@Path() account: AccountPath, @CurrentCall() call: Call): Promise<AccountDetail> {
    return this.services.request(getAccount, account, call);
  }

  /** The keys of the account are refused within a second everywhere, and nothing is charged from now on. */
  @Post(':account_id/suspend')
  @HttpCode(200)
  suspend(
    @Path() account: AccountPath,
    @Body() body: SuspendAccountBody,
    @CurrentCall() call: Call,
  ): Promise<AccountView> {
    return this.services.request(suspendAccount, { ...account, ...body }, call);
  }

  @Post(':account_id/resume')
  @HttpCode(200)
  resume(@Path() account: AccountPath, @CurrentCall() call: Call): Promise<AccountView> {
    return this.services.request(resumeAccount, account, call);
  }

  /** Changes the name or the address; members stay as they are. */
  @Patch(':account_id')
  update(
    @Path() account: AccountPath,
    @Body() change: UpdateAccountBody,
    @CurrentCall() call: Call,
  ): Promise<AccountView> {
    return this.services.request(updateAccount, { ...account, ...change }, call);
  }

  /** 201 with the new key; 200 with the key that this Idempotency-Key created before, now with a new secret. */
  @Post(':account_id/keys')
  async createKey(
    @Path() account: AccountPath,
    @Body() body: CreateKeyBody,
    @IdempotencyKey() idempotency_key: string,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedKey> {
    const secret = generateApiKey(body.mode);
    const request = { ...account, ...body, key_id: uuidv7(), idempotency_key, ...hashOf(secret) };
    const { created, key } = await this.services.request(createKey, request, call);
    reply.status(created ? 201 : 200);
    return { ...key, key: secret };
  }

  /** Gives a key a new secret; the one before works on for the overlap. */
  @Post(':account_id/keys/:key_id/rotate')
  @HttpCode(200)
  async rotateKey(
    @Path() path: KeyPath,
    @Body() body: RotateKeyBody,
    @IdempotencyKey() idempotency_key: string,
    @CurrentCall() call: Call,
  ): Promise<CreatedKey> {
    const { mode } = await this.services.request(getKey, path, call);
    const secret = generateApiKey(mode);
    const request = { ...path, ...body, rotation_id: uuidv7(), idempotency_key, ...hashOf(secret) };
    return { ...(await this.services.request(rotateKey, request, call)), key: secret };
  }

  @Get(':account_id/keys')
  listKeys(@Path() account: AccountPath, @CurrentCall() call: Call): Promise<{ keys: KeyView[] }> {
    return this.services.request(listKeys, account, call);
  }

  @Get(':account_id/keys/:key_id')
  showKey(@Path() path: KeyPath, @CurrentCall() call: Call): Promise<KeyView> {
    return this.services.request(getKey, path, call);
  }

  /** Renames a key, switches it on or off or changes its expiry; switching off takes effect everywhere within a second. */
  @Patch(':account_id/keys/:key_id')
  updateKey(
    @Path() path: KeyPath,
    @Body() change: UpdateKeyBody,
    @CurrentCall() call: Call,
  ): Promise<KeyView> {
    return this.services.request(updateKey, { ...path, ...change }, call);
  }

  @Delete(':account_id/keys/:key_id')
  deleteKey(@Path() path: KeyPath, @CurrentCall() call: Call): Promise<{ deleted: true }> {
    return this.services.request(deleteKey, path, call);
  }
}

/** What billing stores of a key. */
function hashOf(secret: string) {
  return { key_hash: hashApiKey(secret), prefix: displayPrefix(secret) };
}
