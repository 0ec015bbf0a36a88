import { EmailField } from '@app/contracts';
import { TextField } from '../validation/fields.js';

export class CreateAccountBody {
  @TextField(200)
  name: string;

  @TextField(254)
  @EmailField()
  email: string;
}
