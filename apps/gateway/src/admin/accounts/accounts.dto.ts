import { IsEmail } from 'class-validator';
import { TextField } from '../validation/fields.js';

export class CreateAccountBody {
  @TextField(200)
  name: string;

  @TextField(254)
  @IsEmail({}, { message: 'email must be an email address' })
  email: string;
}
