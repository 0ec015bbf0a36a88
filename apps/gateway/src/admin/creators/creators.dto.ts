import { BooleanField } from '../validation/fields.js';

export class PublishCreatorBody {
  @BooleanField()
  published: boolean;
}
