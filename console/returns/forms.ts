import type { z } from 'zod'
import type { FileFormatName } from '../../src/reports/documents/schemas.ts'
import type { FilingType } from '../../src/reports/schemas.ts'

export type FormName = z.output<typeof FilingType>

/**
 * The forms of returns. `name` is the name that the office prints, or the one that people use. `period` is an
 * example of a period. `of` is the place or scheme that the form always declares; null: it has none, or
 * `place` says which one has to be chosen.
 */
export const FORMS: Readonly<
  Record<
    FormName,
    {
      name: string
      of: string | null
      office: string
      period: string
      place: 'none' | 'us_state' | 'member_state'
    }
  >
> = {
  oss_union: {
    name: 'VAT return, Union scheme (One Stop Shop)',
    of: 'oss_union',
    office: 'Tax office of the member state of identification',
    period: '2026-Q3',
    place: 'none',
  },
  oss_non_union: {
    name: 'VAT return, non-Union scheme (One Stop Shop)',
    of: 'oss_non_union',
    office: 'Tax office of the member state of identification',
    period: '2026-Q3',
    place: 'none',
  },
  ioss: {
    name: 'VAT return, import scheme (IOSS)',
    of: 'ioss',
    office: 'Tax office of the member state of identification',
    period: '2026-09',
    place: 'none',
  },
  eu_domestic: {
    name: 'Domestic VAT return',
    of: null,
    office: 'Tax office of the member state',
    period: '2026-09',
    place: 'member_state',
  },
  uk_vat100: {
    name: 'VAT Return (VAT100)',
    of: 'GB',
    office: 'HM Revenue & Customs',
    period: '2026-Q3',
    place: 'none',
  },
  us_state: {
    name: 'Sales and use tax return',
    of: null,
    office: 'Revenue department of the state',
    period: '2026-Q3',
    place: 'us_state',
  },
  al_ssut: {
    name: 'Simplified sellers use tax of Alabama',
    of: 'al_ssut',
    office: 'Alabama Department of Revenue',
    period: '2026-09',
    place: 'none',
  },
  ca_gst34: {
    name: 'GST/HST return (GST34), with the provinces’ own taxes',
    of: 'CA',
    office: 'Canada Revenue Agency',
    period: '2026-Q3',
    place: 'none',
  },
  ca_qst: {
    name: 'Québec sales tax (FPZ-500)',
    of: 'CA-QC',
    office: 'Revenu Québec',
    period: '2026-Q3',
    place: 'none',
  },
  ca_bc_pst: {
    name: 'Provincial sales tax of British Columbia',
    of: 'CA-BC',
    office: 'British Columbia Ministry of Finance',
    period: '2026-Q3',
    place: 'none',
  },
  ca_sk_pst: {
    name: 'Provincial sales tax of Saskatchewan',
    of: 'CA-SK',
    office: 'Saskatchewan Ministry of Finance',
    period: '2026-Q3',
    place: 'none',
  },
  ca_mb_rst: {
    name: 'Retail sales tax of Manitoba',
    of: 'CA-MB',
    office: 'Manitoba Finance',
    period: '2026-Q3',
    place: 'none',
  },
  au_bas: {
    name: 'Business activity statement (BAS), GST',
    of: 'AU',
    office: 'Australian Taxation Office',
    period: '2026-Q3',
    place: 'none',
  },
  nz_gst101a: {
    name: 'GST return (GST101A)',
    of: 'NZ',
    office: 'Inland Revenue',
    period: '2026-08..2026-09',
    place: 'none',
  },
  generic: {
    name: 'All sales by place and rate',
    of: null,
    office: 'For returns without a form of their own',
    period: '2026-Q3',
    place: 'none',
  },
}

/** The member states of the Union, each with its domestic return. */
export const MEMBER_STATES: readonly string[] =
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' ')

/** A fact that a file needs and a return does not contain. `declaration`: a box to tick. */
export type FileField = {
  name: string
  label: string
  hint?: string
  as: 'text' | 'money' | 'declaration' | 'chart'
  currency?: string
}

/** The files of returns. `layout` says how sure the layout is (docs/returns.md). */
const FILES: Readonly<
  Record<
    z.output<typeof FileFormatName>,
    {
      name: string
      of: readonly FormName[] | 'all'
      layout: 'verified' | 'unverified' | 'own'
      fields: readonly FileField[]
    }
  >
> = {
  hmrc_mtd_json: {
    name: 'HMRC Making Tax Digital, JSON',
    of: ['uk_vat100'],
    layout: 'verified',
    fields: [
      {
        name: 'period_key',
        label: 'Period key',
        hint: 'HMRC names it with the obligation, such as 18A1',
        as: 'text',
      },
      { name: 'box_2', label: 'Box 2, VAT due on acquisitions', as: 'money', currency: 'GBP' },
      { name: 'box_4', label: 'Box 4, VAT reclaimed', as: 'money', currency: 'GBP' },
      { name: 'box_7', label: 'Box 7, purchases without VAT', as: 'money', currency: 'GBP' },
      { name: 'box_9', label: 'Box 9, acquisitions without VAT', as: 'money', currency: 'GBP' },
      { name: 'finalised', label: 'I declare that the return is final', as: 'declaration' },
    ],
  },
  oss_xml: {
    name: 'One Stop Shop, XML message of the Commission',
    of: ['oss_union'],
    layout: 'verified',
    fields: [],
  },
  bzst_oss_csv: {
    name: 'One Stop Shop, import of the German portal (CSV)',
    of: ['oss_union'],
    layout: 'unverified',
    fields: [],
  },
  cz_oss_xml: {
    name: 'One Stop Shop, document OSSEI1 of the Czech portal (XML)',
    of: ['oss_union'],
    layout: 'verified',
    fields: [],
  },
  sst_ser_xml: {
    name: 'Simplified Electronic Return of Streamlined Sales Tax (XML)',
    of: ['us_state'],
    layout: 'verified',
    fields: [
      { name: 'tin', label: 'Federal number', hint: 'Nine digits', as: 'text' },
      { name: 'sst_id', label: 'Number of the central registration', hint: 'Such as S12345678', as: 'text' },
      {
        name: 'transmission',
        label: 'Transmission',
        hint: 'Year, day of the year and a number: 26327000001',
        as: 'text',
      },
      {
        name: 'sold_from',
        label: 'Where sales leave',
        hint: 'in_state or out_of_state, for sales without a ship_from',
        as: 'text',
      },
    ],
  },
  ec_sales_list: {
    name: 'EC sales list, by customer (CSV)',
    of: ['eu_domestic'],
    layout: 'own',
    fields: [],
  },
  de_zm_csv: {
    name: 'German recapitulative statement, Zusammenfassende Meldung (CSV)',
    of: ['eu_domestic'],
    layout: 'unverified',
    fields: [],
  },
  csv: { name: 'All figures (CSV)', of: 'all', layout: 'own', fields: [] },
  saft_lines_csv: { name: 'Lines in the names of SAF-T (CSV)', of: 'all', layout: 'unverified', fields: [] },
  datev_csv: {
    name: 'Postings for DATEV (EXTF 700)',
    of: ['generic'],
    layout: 'unverified',
    fields: [
      { name: 'consultant', label: 'Number of the tax consultant', as: 'text' },
      { name: 'client', label: 'Number of the client', as: 'text' },
      { name: 'chart', label: 'Chart of accounts', as: 'chart' },
      { name: 'debtor_account', label: 'Account of all customers', hint: 'Such as 10000', as: 'text' },
    ],
  },
}

/** The meaning of each kind of layout. */
export const LAYOUTS = {
  verified: 'The tests of this service compare this layout with the schema of the office.',
  unverified: 'This layout follows the documentation of the office. Import a first file with care.',
  own: 'A layout of this service, not of an office.',
}

/** The files that can be made of a return, the one for its office first. */
export function filesOf(type: FormName) {
  return Object.entries(FILES).flatMap(([format, file]) =>
    file.of === 'all' || file.of.includes(type) ? [{ format, ...file }] : [],
  )
}
