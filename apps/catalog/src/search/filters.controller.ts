import { type FiltersReply, listFilters } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { BackgroundWork } from '../threads/background-work.js';
import { SearchEngine } from './engine/search-engine.js';

@Controller()
export class FiltersController {
  constructor(
    private readonly engine: SearchEngine,
    private readonly background: BackgroundWork,
  ) {}

  @MessagePattern(listFilters.pattern)
  list(): Promise<FiltersReply> {
    this.background.noteCall();
    return this.engine.filters();
  }
}
