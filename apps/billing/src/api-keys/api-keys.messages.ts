import {
  authenticateKeys,
  type AuthenticateKeysReply,
  type AuthenticateKeysRequest,
  createKey,
  type CreatedKey,
  deleteKey,
  getKey,
  type KeyPath,
  type KeyView,
  listKeys,
  updateKey,
  type UpdateKeyRequest,
} from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ApiKeysService } from './api-keys.service.js';

@Controller()
export class ApiKeysMessages {
  constructor(private readonly keys: ApiKeysService) {}

  @MessagePattern(authenticateKeys.pattern)
  async authenticate(@Payload() { key_hashes }: AuthenticateKeysRequest): Promise<AuthenticateKeysReply> {
    return { keys: await this.keys.authenticate(key_hashes) };
  }

  @MessagePattern(createKey.pattern)
  create(@Payload() { account_id, name }: { account_id: string; name: string }): Promise<CreatedKey> {
    return this.keys.create(account_id, name);
  }

  @MessagePattern(listKeys.pattern)
  async list(@Payload() { account_id }: { account_id: string }): Promise<{ keys: KeyView[] }> {
    return { keys: await this.keys.list(account_id) };
  }

  @MessagePattern(getKey.pattern)
  show(@Payload() path: KeyPath): Promise<KeyView> {
    return this.keys.show(path);
  }

  @MessagePattern(updateKey.pattern)
  update(@Payload() request: UpdateKeyRequest): Promise<KeyView> {
    return this.keys.update(request);
  }

  @MessagePattern(deleteKey.pattern)
  async remove(@Payload() path: KeyPath): Promise<{ deleted: true }> {
    await this.keys.remove(path);
    return { deleted: true };
  }
}
