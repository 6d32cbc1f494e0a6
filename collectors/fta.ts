import type { Publication } from './collector.ts'

/**
 * The table of the tax administrators: general rates, and how food and drugs are taxed. They publish it once
 * a year, some months late.
 */
export const fta: Omit<Publication, 'read'> = {
  source: 'Federation of Tax Administrators, State Sales Tax Rates and Food & Drug Exemptions',
  source_url: 'https://taxadmin.org/state-sales-taxes-food-and-drug-exemptions/',
  url: 'https://taxadmin.org/state-sales-taxes-food-and-drug-exemptions/',
  variable: 'SOURCE_US_TAX_FTA',
  request: (url) => ({ url, accept: 'text/html' }),
}
