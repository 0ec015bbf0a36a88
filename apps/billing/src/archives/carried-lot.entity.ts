import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a lot had at the end of the last archived month, unless that was nothing. */
@Entity('carried_lots')
export class CarriedLot {
  @PrimaryColumn('uuid', { name: 'lot_id', primaryKeyConstraintName: 'carried_lots_pk' })
  lotId: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('integer')
  credits: number;
}
