import { type LookupReply, lookUpAccounts, LookupRequest } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { readSought } from '../lookup/sought-keys.js';
import { BackgroundWork } from '../threads/background-work.js';
import { SearchEngine } from './engine/search-engine.js';

@Controller()
export class LookUpController {
  constructor(
    private readonly engine: SearchEngine,
    private readonly background: BackgroundWork,
  ) {}

  @MessagePattern(lookUpAccounts.pattern)
  async lookUp(@Payload() { accounts }: LookupRequest): Promise<LookupReply> {
    this.background.noteCall();
    const sought = accounts.map(readSought);
    const slugs = await this.engine.lookUp(sought.map((account) => ('keys' in account ? account.keys : [])));
    return {
      results: sought.map((account, index) =>
        'keys' in account ? { slug: slugs[index] ?? null } : { slug: null, details: account.details },
      ),
    };
  }
}
