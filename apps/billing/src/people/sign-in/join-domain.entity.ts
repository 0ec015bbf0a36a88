import { Entity, PrimaryColumn } from 'typeorm';

/** People with an address in this domain may join the account without an invitation. Only operators set it. */
@Entity('join_domains')
export class JoinDomain {
  /** In the form of compared addresses (`foldDomain`). */
  @PrimaryColumn('text')
  domain: string;

  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;
}
