import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person who may sign in, identified by an email address; a member of any number of accounts. */
@Entity('people')
export class Person {
  @PrimaryColumn('uuid')
  id: string;

  /** In the form in which addresses are compared, shown and mailed (`foldEmail`). */
  @Column('text', { name: 'email_folded' })
  emailFolded: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** When the sweep next checks whether anything refers to the person. */
  @Column('timestamp with time zone', { name: 'next_check_at', precision: 3, default: '-infinity' })
  nextCheckAt: Date;
}
