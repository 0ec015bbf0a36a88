import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** Marks a charge that was voided before it arrived: when it arrives, it takes no credits. */
@Entity('charge_tombstones')
@Index('charge_tombstones_age', ['createdAt'])
@Index('charge_tombstones_of_account', ['accountId'])
export class ChargeTombstone {
  @PrimaryColumn('uuid', { name: 'charge_id', primaryKeyConstraintName: 'charge_tombstones_pk' })
  chargeId: string;

  @Column('uuid', { name: 'account_id' })
  @ForeignKey('accounts', { name: 'charge_tombstones_account_fk' })
  accountId: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
