import { Entity, PrimaryColumn } from 'typeorm';

/** A domain whose people may join an account by their own choice; only operators set it. */
@Entity('join_domains')
export class JoinDomain {
  /** In the form of compared addresses (`foldDomain`). */
  @PrimaryColumn('text')
  domain: string;

  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;
}
