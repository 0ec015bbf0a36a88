import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The person that a subject of an OpenID provider is bound to since its first sign-in, whatever address it gives later. */
@Entity('identities')
export class Identity {
  @PrimaryColumn('text')
  issuer: string;

  @PrimaryColumn('text')
  subject: string;

  @Column('uuid', { name: 'person_id' })
  personId: string;

  @Column('timestamp with time zone', { name: 'bound_at', precision: 3 })
  boundAt: Date;

  @Column('timestamp with time zone', { name: 'last_used_at', precision: 3 })
  lastUsedAt: Date;
}
