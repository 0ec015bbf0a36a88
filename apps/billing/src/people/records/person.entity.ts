import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';

/** A person who may sign in, identified by an email address; a member of any number of accounts. */
@Entity('people')
@Check('people_email_length', 'char_length(email) BETWEEN 3 AND 254')
@Unique('people_email_unique', ['emailFolded'])
@Index('people_to_check', ['nextCheckAt'], { where: 'refused_email IS NULL' })
export class Person {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'people_pk' })
  id: string;

  /** The same as `emailFolded`, which is what is read. */
  @Column('text')
  email: string;

  /** In the form in which addresses are compared, shown and mailed (`foldEmail`). */
  @Column('text', { name: 'email_folded' })
  emailFolded: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** An address that an older version stored as `emailFolded` although it differs; operators decide about such people. */
  @Column('text', { name: 'refused_email', nullable: true })
  refusedEmail: string | null;

  /** When the sweep next checks whether anything refers to the person. */
  @Column('timestamp with time zone', { name: 'next_check_at', precision: 3, default: '-infinity' })
  nextCheckAt: Date;
}
