import {
  finishImport,
  importChunk,
  type ImportChunkRequest,
  type ImportReport,
  WithBytes,
} from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ImportService } from './import.service.js';

@Controller()
export class ImportMessages {
  constructor(private readonly imports: ImportService) {}

  @MessagePattern(importChunk.pattern)
  chunk(@Payload() { value, bytes }: WithBytes<ImportChunkRequest>): Promise<ImportReport> {
    return this.imports.importChunk(value, bytes);
  }

  @MessagePattern(finishImport.pattern)
  async finish(@Payload() { import_id }: { import_id: string }): Promise<{ finished: true }> {
    await this.imports.finish(import_id);
    return { finished: true };
  }
}
