import {
  type AdminLogPage,
  AdminLogQuery,
  type AdminRole,
  type AdminTokenView,
  createAdminToken,
  CreateAdminTokenBody,
  type CreatedAdminToken,
  listAdminTokens,
  listBillingLog,
  listCatalogLog,
  withdrawAdminToken,
  AdminTokenPath,
} from '#contracts';
import { displayPrefix, generateAdminToken, sha256 } from '#platform';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { RouteMethods } from '../../edge/routes.js';
import { Call, CurrentCall } from '../../requests/call.js';
import { Path } from '../parameters.js';
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

  /** A withdrawn token is refused from then on. */
  @Delete(':token_id')
  withdraw(@Path() token: AdminTokenPath, @CurrentCall() call: Call): Promise<AdminTokenView> {
    return this.services.request(withdrawAdminToken, token, call);
  }
}

/** What operators have changed. Each service keeps the entries of its own changes; here they are one list. */
@Area('log')
@Controller('log')
export class AdminLogController {
  constructor(private readonly services: ServiceClient) {}

  /** Newest first. */
  @Get()
  async list(@Query() query: AdminLogQuery, @CurrentCall() call: Call): Promise<AdminLogPage> {
    const request = { ...query, limit: query.limit + 1 };
    const logs = await Promise.all(
      [listBillingLog, listCatalogLog].map((contract) => this.services.request(contract, request, call)),
    );
    const newest = logs.flatMap(({ entries }) => entries).sort((one, other) => (one.id < other.id ? 1 : -1));
    const entries = newest.slice(0, query.limit);
    return { entries, next_cursor: newest.length > query.limit ? (entries.at(-1)?.id ?? null) : null };
  }
}

interface Self {
  readonly token: string;
  readonly role: AdminRole;
  readonly routes: string[];
}

/** Whose token a request carries, and the routes of this version. */
@Area('self')
@Controller('me')
export class OperatorController {
  constructor(private readonly routes: RouteMethods) {}

  @Get()
  show(@CurrentCall() { operator }: Call): Self {
    if (!operator) throw new Error('a request to the admin API has an operator');
    return { token: operator.name, role: operator.role, routes: this.routes.list() };
  }
}
