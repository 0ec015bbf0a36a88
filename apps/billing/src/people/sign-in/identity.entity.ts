import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

const primaryKeyConstraintName = 'identities_pk';

/** The person that a subject of an OpenID provider is bound to since its first sign-in, whatever address it gives later. */
@Entity('identities')
@Unique('identities_one_of_issuer', ['personId', 'issuer'])
export class Identity {
  @PrimaryColumn('text', { primaryKeyConstraintName })
  issuer: string;

  @PrimaryColumn('text', { primaryKeyConstraintName })
  subject: string;

  @Column('uuid', { name: 'person_id' })
  @ForeignKey('people', { name: 'identities_person_fk', onDelete: 'CASCADE' })
  personId: string;

  @Column('timestamp with time zone', { name: 'bound_at', precision: 3 })
  boundAt: Date;

  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3 })
  lastUsedAt: Date;
}
