import {
  type AdminTokenView,
  createAdminToken,
  CreateAdminTokenBody,
  type CreatedAdminToken,
  listAdminTokens,
  withdrawAdminToken,
} from '#contracts';
import { displayPrefix, generateAdminToken, sha256 } from '#platform';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Call, CurrentCall } from '../../requests/call.js';
import { TokenId } from '../parameters.js';
import { Area } from './roles.js';

/** Tokens of the admin API besides `ADMIN_TOKEN`. A token is shown once, when it is created. */
@Area('tokens')
@Controller('tokens')
export class AdminTokensController {
  constructor(private readonly services: ServiceClient) {}

  @Post()
  async create(@Body() body: CreateAdminTokenBody, @CurrentCall() call: Call): Promise<CreatedAdminToken> {
    const token = generateAdminToken();
    const secret = { token_hash: sha256(token), prefix: displayPrefix(token) };
    const request = { ...body, token_id: uuidv7(), ...secret };
    return { ...(await this.services.request(createAdminToken, request, call)), token };
  }

  @Get()
  list(@CurrentCall() call: Call): Promise<{ tokens: AdminTokenView[] }> {
    return this.services.request(listAdminTokens, {}, call);
  }

  /** From then on it is refused. */
  @Delete(':token_id')
  withdraw(@TokenId() token_id: string, @CurrentCall() call: Call): Promise<AdminTokenView> {
    return this.services.request(withdrawAdminToken, { token_id }, call);
  }
}
