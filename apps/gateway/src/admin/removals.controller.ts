import {
  getRemoval,
  listRemovals,
  PageRequest,
  readmitCreator,
  type Removal,
  RemoveAccountsBody,
  removeCreator,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { Call, CurrentCall } from '../requests/call.js';
import { Area } from './operators/roles.js';
import { RemovalId } from './parameters.js';

/** Creators who asked to be removed, and stay out of the catalog. */
@Area('creators')
@Controller('removals')
export class RemovalsController {
  constructor(private readonly services: ServiceClient) {}

  /** Newest first. */
  @Get()
  async list(
    @Query() page: PageRequest,
    @CurrentCall() call: Call,
  ): Promise<{ removals: Removal[]; next_cursor: string | null }> {
    const { items, next_cursor } = await this.services.request(listRemovals, { ...page }, call);
    return { removals: items, next_cursor };
  }

  /** Removes whoever has these accounts, also before an import brings them. */
  @Post()
  @HttpCode(201)
  remove(@Body() body: RemoveAccountsBody, @CurrentCall() call: Call): Promise<Removal> {
    return this.services.request(removeCreator, { ...body }, call);
  }

  @Get(':removal_id')
  show(@RemovalId() removal_id: string, @CurrentCall() call: Call): Promise<Removal> {
    return this.services.request(getRemoval, { removal_id }, call);
  }

  /** Ends a removal that was a mistake: an import may bring the creator back. */
  @Delete(':removal_id')
  readmit(@RemovalId() removal_id: string, @CurrentCall() call: Call): Promise<Removal> {
    return this.services.request(readmitCreator, { removal_id }, call);
  }
}
