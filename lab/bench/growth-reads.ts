const QUARTER = 'from_date=2026-07-01&to_date=2026-09-30'
export const FILED_MONTH = '2026-08'

/** These reads must take at most twice as long if the books grow a hundredfold. */
export const READS = [
  ['first page of the list', '/v1/transactions?limit=50'],
  ['look-up by external id', '/v1/transactions/external/order-777'],
  ['search by a number', '/v1/transactions?q=order-777'],
  ['search by an amount', '/v1/transactions?q=19.99&limit=50'],
  ['search by a name', '/v1/transactions?q=jansen&limit=50'],
  ['search of customers by a word', '/v1/customers?q=jansen&limit=50'],
  ['search of exemptions by a number', '/v1/exemptions?q=cert-7770&limit=50'],
  ['search of exemptions by a place', '/v1/exemptions?q=ohio&limit=50'],
  ['search of exemptions by a letter', '/v1/exemptions?q=c&limit=50'],
  ['search of exemptions by a customer', '/v1/exemptions?q=jansen&limit=50'],
  ['search of exemptions that are active', '/v1/exemptions?q=ohio&state=active&limit=50'],
  ['expired exemptions', '/v1/exemptions?state=expired&limit=50'],
  ['upcoming exemptions', '/v1/exemptions?state=upcoming&limit=50'],
  ['first page of the customers', '/v1/customers?limit=50'],
  ['check of an exemption', '/v1/customers/{customer}/exemptions/check?jurisdiction_id=US-AZ'],
  ['list by amount', '/v1/transactions?sort=largest&limit=50'],
  ['sums of a day', '/v1/transactions?sums=true&from_date=2026-09-03&to_date=2026-09-03&limit=1'],
  ['sums of everything', '/v1/transactions?sums=true&limit=1'],
  ['summary of a year', '/v1/reports/summary?from_date=2025-11-21&to_date=2026-11-20'],
  ['filing of a quarter', '/v1/reports/filing?type=oss_union&period=2026-Q3'],
  ['statement in dollars of each day', '/v1/reports/filing?type=au_bas&period=2026-Q3'],
  ['nexus', '/v1/nexus'],
  ['lines of a quarter, first page', `/v1/reports/lines?${QUARTER}`],
  ['records of art. 63c, first page', `/v1/reports/oss-records?scheme=oss_union&${QUARTER}`],
  ['a filed month', `/v1/reports/filing?type=ca_gst34&period=${FILED_MONTH}`],
] as const
