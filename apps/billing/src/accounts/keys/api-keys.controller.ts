import {
  AccountPath,
  authenticateKey,
  type AuthenticateKeyReply,
  AuthenticateKeyRequest,
  createKey,
  type CreateKeyReply,
  CreateKeyRequest,
  deleteKey,
  getKey,
  KeyPath,
  type KeyView,
  listKeys,
  rotateKey,
  RotateKeyRequest,
  updateKey,
  UpdateKeyRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ApiKeysService } from './api-keys.service.js';

@Controller()
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @MessagePattern(authenticateKey.pattern)
  async authenticate(@Payload() { key_hash }: AuthenticateKeyRequest): Promise<AuthenticateKeyReply> {
    return { key: await this.keys.authenticate(key_hash) };
  }

  @MessagePattern(createKey.pattern)
  create(@Payload() request: CreateKeyRequest, @Ctx() context: MessageContext): Promise<CreateKeyReply> {
    return this.keys.create(request, context);
  }

  @MessagePattern(rotateKey.pattern)
  rotate(@Payload() request: RotateKeyRequest, @Ctx() context: MessageContext): Promise<KeyView> {
    return this.keys.rotate(request, context);
  }

  @MessagePattern(listKeys.pattern)
  async list(@Payload() { account_id }: AccountPath): Promise<{ keys: KeyView[] }> {
    return { keys: await this.keys.list(account_id) };
  }

  @MessagePattern(getKey.pattern)
  show(@Payload() path: KeyPath): Promise<KeyView> {
    return this.keys.show(path);
  }

  @MessagePattern(updateKey.pattern)
  update(@Payload() request: UpdateKeyRequest, @Ctx() context: MessageContext): Promise<KeyView> {
    return this.keys.update(request, context);
  }

  @MessagePattern(deleteKey.pattern)
  async remove(@Payload() path: KeyPath, @Ctx() context: MessageContext): Promise<{ deleted: true }> {
    await this.keys.remove(path, context);
    return { deleted: true };
  }
}
