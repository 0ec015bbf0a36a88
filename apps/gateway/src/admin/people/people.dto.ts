import { Email } from '@app/contracts';

export class PersonBody {
  @Email()
  readonly email: string;
}
