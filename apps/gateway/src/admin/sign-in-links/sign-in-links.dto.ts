import { Email } from '@app/contracts';

export class SignInLinkBody {
  @Email({ optional: true })
  readonly email?: string;
}
