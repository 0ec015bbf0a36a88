import { Email, Text } from '@app/contracts';

export class CreateAccountBody {
  @Text({ max: 200 })
  readonly name: string;

  @Email()
  readonly email: string;
}
