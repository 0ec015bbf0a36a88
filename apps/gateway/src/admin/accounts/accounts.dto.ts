import { type CreateAccountRequest } from '@app/contracts';
import { IsEmail } from 'class-validator';
import { TextField } from '../validation/fields.js';

export class CreateAccountBody implements CreateAccountRequest {
  @TextField(200)
  name: string;

  @TextField(254)
  @IsEmail({}, { message: 'email must be an email address' })
  email: string;
}
