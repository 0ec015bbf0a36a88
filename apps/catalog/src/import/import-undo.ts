import { type UndoReply } from '#contracts';
import { type ChangeContext, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { takeCountsBack } from '../creators/account-counts.js';
import { aliasesOf } from '../creators/creator-aliases.js';
import { contentOf, countLines } from '../creators/creator-row.js';
import { CreatorWriter } from '../creators/creator-writer.js';
import { runWriting, type Writing } from '../creators/writing.js';
import { CreatorsRepository } from '../creators/creators.repository.js';
import { prepareLine, wholeRecord } from '../creators/parse-creator-record.js';
import { type ImportChange } from './import.entity.js';
import { ImportsRepository } from './imports.repository.js';

/** For so long one request goes on: its caller waits 60 s. */
const undoForMs = 20_000;

/** Undoes imports: chunk by chunk, the latest first, each in a transaction of its own. */
@Injectable()
export class ImportUndo {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly imports: ImportsRepository,
    private readonly creators: CreatorsRepository,
    private readonly writer: CreatorWriter,
  ) {}

  /**
   * Deletes the creators that the import made, and restores those that it changed, unless they have changed since. Chunks that
   * are undone are not undone again. Throws `not_found`.
   */
  async undo(id: string, by: ChangeContext = {}): Promise<UndoReply> {
    await this.imports.find(id);
    await this.imports.finish(id);
    const total = { restored: 0, deleted: 0, skipped: 0 };
    const until = performance.now() + undoForMs;
    while (performance.now() < until) {
      const undone = await runWriting(this.transactions, (writing) => this.undoLatest(writing, id), by);
      if (!undone) {
        await this.imports.markUndone(id);
        return { ...total, done: true };
      }
      total.restored += undone.restored;
      total.deleted += undone.deleted;
      total.skipped += undone.skipped;
    }
    return { ...total, done: false };
  }

  private async undoLatest(writing: Writing, id: string): Promise<Omit<UndoReply, 'done'> | null> {
    const changes = await this.imports.lockLatestChanges(writing, id);
    const [first] = changes;
    if (!first) return null;
    const slugs = changes.map(({ slug }) => slug);
    const known = await this.creators.findKnown(writing, slugs, true);
    const joined = new Set((await aliasesOf(writing, slugs)).values());
    const same = changes.filter(({ slug, before, afterHash }) => {
      const creator = known.get(slug);
      // Another one was joined into a creator that the import made: it may not be deleted with it.
      return (
        creator &&
        (before || !joined.has(slug)) &&
        afterHash === `${creator.content_hash}/${creator.published}`
      );
    });
    const made = same.flatMap(({ slug, before }) => (before ? [] : [slug]));
    const undone = same.flatMap(({ slug }) => known.get(slug) ?? []);
    await takeCountsBack(
      writing,
      undone.map(({ platforms = [] }) => countLines(platforms)),
    );
    const deleted = await this.creators.remove(writing, made);
    const lines = same.flatMap(lineOf);
    const { plan, store } = await this.writer.store(writing, {
      lines,
      released: new Set(lines.flatMap(({ slug }) => slug ?? [])),
    });
    const stored = new Set(store.map(({ slug }) => slug));
    const before = same.flatMap((change) => (stored.has(change.slug) && change.before) || []);
    for (const source of new Set(before.map((creator) => creator.source))) {
      const own = before.filter((creator) => creator.source === source).map(({ slug }) => slug);
      // Storing has left them without one.
      if (source !== null) await this.creators.setSource(writing, own, source);
    }
    await this.imports.forgetChanges(writing, id, first.seq);
    const restored = lines.length - plan.errors.length - plan.removed.length;
    const counts = { restored, deleted, skipped: changes.length - deleted - restored };
    await writing.record({ action: 'import.undone', subject: id, after: counts });
    return counts;
  }
}

/** The creator as it was; none for one that the import made. */
function lineOf({ before }: ImportChange, index: number) {
  if (!before) return [];
  const { slug, published } = before;
  return [prepareLine(index, wholeRecord({ ...contentOf(before), slug, published }))];
}
