import {
  compareChunk,
  finishImport,
  importChunk,
  ImportChunkRequest,
  ImportPath,
  type ImportReport,
  type ImportSummary,
  listImports,
  type Page,
  PageRequest,
  undoImport,
  type UndoReply,
  WithBytes,
} from '#contracts';
import { counter, histogram } from '#platform';
import { BytesPayloadPipe, MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ImportUndo } from './import-undo.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportService } from './import.service.js';

const outcomes = ['created', 'updated', 'unchanged', 'removed', 'rejected'] as const;
const lines = counter('import_lines_total', 'Lines of imports, by outcome.', ['outcome']);
const duration = histogram(
  'import_chunk_duration_seconds',
  'Duration of import chunks, from their arrival to their report.',
);

@Controller()
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly repository: ImportsRepository,
    private readonly undone: ImportUndo,
  ) {}

  @MessagePattern(importChunk.pattern)
  async chunk(
    @Payload(new BytesPayloadPipe(ImportChunkRequest)) { value, bytes }: WithBytes<ImportChunkRequest>,
    @Ctx() context: MessageContext,
  ): Promise<ImportReport> {
    const end = duration.startTimer();
    const report = await this.imports.importChunk(value, bytes, context);
    end();
    for (const outcome of outcomes) lines.inc({ outcome }, report[outcome] ?? 0);
    return report;
  }

  @MessagePattern(compareChunk.pattern)
  compare(
    @Payload(new BytesPayloadPipe(ImportChunkRequest)) { value, bytes }: WithBytes<ImportChunkRequest>,
    @Ctx() context: MessageContext,
  ): Promise<ImportReport> {
    return this.imports.importChunk(value, bytes, context, 'compare');
  }

  @MessagePattern(listImports.pattern)
  async list(@Payload() { limit, cursor }: PageRequest): Promise<Page<ImportSummary>> {
    const items = await this.repository.list(limit, cursor);
    return { items, next_cursor: items.length < limit ? null : (items.at(-1)?.id ?? null) };
  }

  @MessagePattern(undoImport.pattern)
  undo(@Payload() { import_id }: ImportPath, @Ctx() context: MessageContext): Promise<UndoReply> {
    return this.undone.undo(import_id, context);
  }

  @MessagePattern(finishImport.pattern)
  async finish(@Payload() { import_id }: ImportPath): Promise<{ finished: true }> {
    await this.imports.finish(import_id);
    return { finished: true };
  }
}
