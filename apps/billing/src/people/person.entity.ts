import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** Someone who may sign in, known by an e-mail address; a member of any number of accounts. */
@Entity('people')
@Check('people_email_length', 'char_length(email) BETWEEN 3 AND 254')
@Unique('people_email_unique', ['emailFolded'])
export class Person {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'people_pk' })
  id: string;

  /** As it was first given; mail goes there. */
  @Column('text')
  email: string;

  /** As addresses are compared (`foldEmail`). */
  @Column('text', { name: 'email_folded' })
  emailFolded: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
