import { BooleanField } from '@app/contracts';

export class PublishCreatorBody {
  @BooleanField()
  published: boolean;
}
