import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A customer: who buys credits, holds keys and is charged. Every transaction that changes anything of an account locks
 * this row.
 */
@Entity('accounts')
@Check('accounts_name_length', 'char_length(name) BETWEEN 1 AND 200')
@Check('accounts_email_length', 'char_length(email) BETWEEN 3 AND 254')
@Index('accounts_page', ['createdAt', 'id'])
export class Account {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'accounts_pk' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  email: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
