import { EmailField } from '@app/contracts';
import { TextField } from '../validation/fields.js';

export class PersonBody {
  @TextField(254)
  @EmailField()
  email: string;
}
