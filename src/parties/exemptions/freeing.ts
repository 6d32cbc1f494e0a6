/**
 * Those of customers. Without its name, SQLite would rather read all exemptions of the account in the order
 * of their ids: 77 ms of a calculation if there are 200,000.
 */
export const OF_CUSTOMERS = 'exemptions INDEXED BY exemptions_of_customer'

/** Exemptions that free sales of their days: verified ones, also if they have expired since. */
export const FREEING = `(status = 'verified' OR (status = 'expired' AND ended_on IS NOT NULL))`

/** The last day of an exemption. `valid_to` may be changed after it has expired. */
export const LAST_DAY = `CASE WHEN ended_on < coalesce(valid_to, '9999-12-31')
  THEN ended_on ELSE valid_to END`
