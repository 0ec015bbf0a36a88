import {
  type AdminLogEntry,
  AdminTokenPath,
  type AdminTokenView,
  authenticateAdmin,
  AuthenticateAdminRequest,
  type AuthenticatedAdmin,
  createAdminToken,
  CreateAdminTokenRequest,
  ListAdminLogRequest,
  listAdminTokens,
  listBillingLog,
  withdrawAdminToken,
} from '#contracts';
import { AdminLogRepository, TransactionRunner } from '#platform/database';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AdminTokensService } from './admin-tokens.service.js';

@Controller()
export class AdministrationController {
  constructor(
    private readonly tokens: AdminTokensService,
    private readonly database: TransactionRunner,
    private readonly log: AdminLogRepository,
  ) {}

  @MessagePattern(authenticateAdmin.pattern)
  authenticate(@Payload() request: AuthenticateAdminRequest): Promise<{ admin: AuthenticatedAdmin | null }> {
    return this.tokens.authenticate(request);
  }

  @MessagePattern(createAdminToken.pattern)
  create(
    @Payload() request: CreateAdminTokenRequest,
    @Ctx() context: MessageContext,
  ): Promise<AdminTokenView> {
    return this.tokens.create(request, context);
  }

  @MessagePattern(listAdminTokens.pattern)
  list(): Promise<{ tokens: AdminTokenView[] }> {
    return this.tokens.list();
  }

  @MessagePattern(withdrawAdminToken.pattern)
  withdraw(@Payload() path: AdminTokenPath, @Ctx() context: MessageContext): Promise<AdminTokenView> {
    return this.tokens.withdraw(path, context);
  }

  @MessagePattern(listBillingLog.pattern)
  async entries(@Payload() request: ListAdminLogRequest): Promise<{ entries: AdminLogEntry[] }> {
    return { entries: await this.log.page(this.database, request) };
  }
}
