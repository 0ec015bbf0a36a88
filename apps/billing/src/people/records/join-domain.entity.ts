import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'join_domains_pk';

/** A domain whose people may join an account by their own choice; only operators set it. */
@Entity('join_domains')
@Index('join_domains_of_account', ['accountId'])
export class JoinDomain {
  /** In the form of compared addresses (`foldDomain`). */
  @PrimaryColumn('text', { primaryKeyConstraintName })
  domain: string;

  @PrimaryColumn('uuid', { name: 'account_id', primaryKeyConstraintName })
  @ForeignKey('accounts', { name: 'join_domains_account_fk' })
  accountId: string;
}
