import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Marks a charge that was voided before it arrived: when it arrives, it takes no credits. */
@Entity('charge_tombstones')
export class ChargeTombstone {
  @PrimaryColumn('uuid', { name: 'charge_id' })
  chargeId: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
