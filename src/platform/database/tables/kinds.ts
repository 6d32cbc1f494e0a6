import * as accounts from './accounts.ts'
import * as audit from './audit.ts'
import * as chests from './chests.ts'
import * as collectors from './collectors.ts'
import * as customers from './customers.ts'
import * as events from './events.ts'
import * as local from './local.ts'
import * as messages from './messages.ts'
import * as own from './own.ts'
import * as productCodes from './product-codes.ts'
import * as returns from './returns.ts'
import * as saleor from './saleor.ts'
import * as sales from './sales.ts'
import * as taxData from './tax-data.ts'
import * as taxjar from './taxjar.ts'
import * as thresholds from './thresholds.ts'
import * as vat from './vat.ts'
import * as webhooks from './webhooks.ts'
import * as writes from './writes.ts'

/** The tables that only the control database uses. In a shard, `accounts` has a row for each home. */
export const CONTROL_TABLES = { ...accounts, ...collectors, ...local, ...messages, ...saleor, ...taxData }

/** The tables of the books of an account, thus in its shard. */
export const BOOKS_TABLES = {
  ...chests,
  ...customers,
  ...productCodes,
  ...returns,
  ...sales,
  ...taxjar,
  ...thresholds,
  ...vat,
  ...webhooks,
}

/** The tables that the books have, and the control database with rows of its own. */
export const SHARED_TABLES = { ...audit, ...events, ...writes }

/** What each database keeps about itself. */
export const OWN_TABLES = own

/** All tables by their names. */
export const TABLES = { ...CONTROL_TABLES, ...BOOKS_TABLES, ...SHARED_TABLES, ...OWN_TABLES }
