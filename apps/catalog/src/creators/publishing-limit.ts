import { Injectable } from '@nestjs/common';

/** Whether further creators can be published; what has a limit, the search index, reports it here. */
@Injectable()
export class PublishingLimit {
  private read: () => string | null = () => null;

  reportedBy(read: () => string | null): void {
    this.read = read;
  }

  /** Why none can be, or `null`. */
  get full(): string | null {
    return this.read();
  }
}
