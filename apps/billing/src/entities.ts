import { AdminLogRow } from '#platform/database';
import { AdminToken } from './administration/admin-token.entity.js';
import { Account } from './accounts/account.entity.js';
import { Adjustment, Agreement, LotRefund } from './credits/credits.entity.js';
import { ApiKey } from './accounts/keys/api-key.entity.js';
import { Lot } from './ledger/lots/lot.entity.js';
import { Delivery } from './notices/delivery.entity.js';
import { NoticeSetting } from './notices/notice-setting.entity.js';
import { Notice } from './notices/notice.entity.js';
import { Identity } from './people/sign-in/identity.entity.js';
import { Invitation } from './people/invitations/invitation.entity.js';
import { Member } from './people/records/member.entity.js';
import { Person } from './people/records/person.entity.js';
import { Session } from './people/sessions/session.entity.js';
import { SignIn } from './people/sign-in/sign-in.entity.js';
import { Order } from './orders/order.entity.js';

/** The entities of the tables that the ORM reads or writes; the others are used in SQL only. */
export const entities = [
  Account,
  Adjustment,
  AdminLogRow,
  AdminToken,
  Agreement,
  ApiKey,
  Delivery,
  Identity,
  Invitation,
  Lot,
  LotRefund,
  Member,
  Notice,
  NoticeSetting,
  Person,
  Session,
  SignIn,
  Order,
];
