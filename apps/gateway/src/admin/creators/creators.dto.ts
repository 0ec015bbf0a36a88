import { Flag } from '@app/contracts';

export class PublishCreatorBody {
  @Flag()
  readonly published: boolean;
}
