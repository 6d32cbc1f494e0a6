/** How TaxJar names the taxable amount, the rate and the tax of one level of tax. */
type LevelNames = readonly [taxable: string, rate: string, tax: string]

/** The levels of tax of one country form, with their names in the answer. */
type NamedLevels = Readonly<Record<string, LevelNames>>

/** The names of the order as a whole, of a line and of shipping. They differ in the United States. */
export type FormNames = { order: NamedLevels; line: NamedLevels; shipping: NamedLevels }

/** All names of a form's levels. */
export type NameIn<Levels extends NamedLevels> = Levels[keyof Levels][number]

const US_LINE = {
  state: ['state_taxable_amount', 'state_sales_tax_rate', 'state_amount'],
  county: ['county_taxable_amount', 'county_tax_rate', 'county_amount'],
  city: ['city_taxable_amount', 'city_tax_rate', 'city_amount'],
  district: ['special_district_taxable_amount', 'special_tax_rate', 'special_district_amount'],
} as const

export const US_NAMES = {
  order: {
    state: ['state_taxable_amount', 'state_tax_rate', 'state_tax_collectable'],
    county: ['county_taxable_amount', 'county_tax_rate', 'county_tax_collectable'],
    city: ['city_taxable_amount', 'city_tax_rate', 'city_tax_collectable'],
    district: ['special_district_taxable_amount', 'special_tax_rate', 'special_district_tax_collectable'],
  },
  line: US_LINE,
  shipping: {
    ...US_LINE,
    district: ['special_taxable_amount', 'special_tax_rate', 'special_district_amount'],
  },
} as const satisfies FormNames

const CANADIAN = {
  gst: ['gst_taxable_amount', 'gst_tax_rate', 'gst'],
  pst: ['pst_taxable_amount', 'pst_tax_rate', 'pst'],
  qst: ['qst_taxable_amount', 'qst_tax_rate', 'qst'],
} as const

export const CANADIAN_NAMES = { order: CANADIAN, line: CANADIAN, shipping: CANADIAN } as const

const NATIONAL = {
  country: ['country_taxable_amount', 'country_tax_rate', 'country_tax_collectable'],
} as const

export const NATIONAL_NAMES = { order: NATIONAL, line: NATIONAL, shipping: NATIONAL } as const
