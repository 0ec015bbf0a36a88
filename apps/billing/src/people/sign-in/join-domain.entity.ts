import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'join_domains_pk';

/** People with an address in this domain may join the account without an invitation. Only operators set it. */
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
