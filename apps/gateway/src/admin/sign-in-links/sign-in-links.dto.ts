import { EmailField, OptionalField } from '@app/contracts';

export class SignInLinkBody {
  @OptionalField()
  @EmailField()
  email?: string;
}
