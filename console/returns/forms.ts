import type { FileFormatName, FilingType } from '../../client/src/schema.ts'

/** `of` is the place or scheme that the form always declares. `place` says which one has to be chosen. */
type TaxForm = {
  name: string
  office: string
  of?: string
  period?: string
  place?: 'us_state' | 'member_state'
}

const IDENTIFICATION = 'Tax office of the member state of identification'
const MONTH = '2026-09'

/** An example of a period, for a form that has no other. */
export const QUARTER = '2026-Q3'

/** The forms of returns. `name` is the name that the office prints, or the one that people use. */
export const FORMS: Readonly<Record<FilingType, TaxForm>> = {
  oss_union: { name: 'VAT return, Union scheme (One Stop Shop)', office: IDENTIFICATION, of: 'oss_union' },
  oss_non_union: {
    name: 'VAT return, non-Union scheme (One Stop Shop)',
    office: IDENTIFICATION,
    of: 'oss_non_union',
  },
  ioss: { name: 'VAT return, import scheme (IOSS)', office: IDENTIFICATION, of: 'ioss', period: MONTH },
  eu_domestic: {
    name: 'Domestic VAT return',
    office: 'Tax office of the member state',
    period: MONTH,
    place: 'member_state',
  },
  uk_vat100: { name: 'VAT Return (VAT100)', office: 'HM Revenue & Customs', of: 'GB' },
  us_state: {
    name: 'Sales and use tax return',
    office: 'Revenue department of the state',
    place: 'us_state',
  },
  al_ssut: {
    name: 'Simplified sellers use tax of Alabama',
    office: 'Alabama Department of Revenue',
    of: 'al_ssut',
    period: MONTH,
  },
  ca_gst34: {
    name: 'GST/HST return (GST34), with the provinces’ own taxes',
    office: 'Canada Revenue Agency',
    of: 'CA',
  },
  ca_qst: { name: 'Québec sales tax (FPZ-500)', office: 'Revenu Québec', of: 'CA-QC' },
  ca_bc_pst: {
    name: 'Provincial sales tax of British Columbia',
    office: 'British Columbia Ministry of Finance',
    of: 'CA-BC',
  },
  ca_sk_pst: {
    name: 'Provincial sales tax of Saskatchewan',
    office: 'Saskatchewan Ministry of Finance',
    of: 'CA-SK',
  },
  ca_mb_rst: { name: 'Retail sales tax of Manitoba', office: 'Manitoba Finance', of: 'CA-MB' },
  au_bas: { name: 'Business activity statement (BAS), GST', office: 'Australian Taxation Office', of: 'AU' },
  nz_gst101a: {
    name: 'GST return (GST101A)',
    office: 'Inland Revenue',
    of: 'NZ',
    period: '2026-08..2026-09',
  },
  generic: { name: 'All sales by place and rate', office: 'For returns without a form of their own' },
}

/**
 * A fact that a file needs and a return does not contain. `declaration`: a box to tick. `box`: it is typed in
 * this box of the form. `choices`: it is one of these.
 */
export type FileField = {
  name: string
  label: string
  box?: string
  hint?: string
  as?: 'money' | 'declaration'
  choices?: readonly (readonly [value: string, name: string])[]
  currency?: string
}

type TaxFile = {
  name: string
  of: readonly FilingType[] | 'all'
  layout: keyof typeof LAYOUTS
  fields?: readonly FileField[]
}

/** The files of returns. `layout` says how sure the layout is (docs/returns.md). */
const FILES: Readonly<Record<FileFormatName, TaxFile>> = {
  hmrc_mtd_json: {
    name: 'HMRC Making Tax Digital, JSON',
    of: ['uk_vat100'],
    layout: 'verified',
    fields: [
      { name: 'period_key', label: 'Period key', hint: 'HMRC names it with the obligation, such as 18A1' },
      { box: '2', name: 'box_2', label: 'Box 2, VAT due on acquisitions', as: 'money' },
      { box: '4', name: 'box_4', label: 'Box 4, VAT reclaimed', as: 'money' },
      { box: '7', name: 'box_7', label: 'Box 7, purchases without VAT', as: 'money' },
      { box: '9', name: 'box_9', label: 'Box 9, acquisitions without VAT', as: 'money' },
      { name: 'finalised', label: 'I declare that the return is final', as: 'declaration' },
    ],
  },
  oss_xml: { name: 'One Stop Shop, XML message of the Commission', of: ['oss_union'], layout: 'verified' },
  bzst_oss_csv: {
    name: 'One Stop Shop, import of the German portal (CSV)',
    of: ['oss_union'],
    layout: 'unverified',
  },
  cz_oss_xml: {
    name: 'One Stop Shop, document OSSEI1 of the Czech portal (XML)',
    of: ['oss_union'],
    layout: 'verified',
  },
  sst_ser_xml: {
    name: 'Simplified Electronic Return of Streamlined Sales Tax (XML)',
    of: ['us_state'],
    layout: 'verified',
    fields: [
      { name: 'tin', label: 'Federal number', hint: 'Nine digits' },
      { name: 'sst_id', label: 'Number of the central registration', hint: 'Such as S12345678' },
      {
        name: 'transmission',
        label: 'Transmission',
        hint: 'Year, day of the year and a number: 26327000001',
      },
      {
        name: 'sold_from',
        label: 'Where sales leave',
        hint: 'For sales that do not name where their goods leave',
        choices: [
          ['in_state', 'In the state'],
          ['out_of_state', 'In another state or abroad'],
        ],
      },
    ],
  },
  ec_sales_list: { name: 'EC sales list, by customer (CSV)', of: ['eu_domestic'], layout: 'own' },
  de_zm_csv: {
    name: 'German recapitulative statement, Zusammenfassende Meldung (CSV)',
    of: ['eu_domestic'],
    layout: 'unverified',
  },
  csv: { name: 'All figures (CSV)', of: 'all', layout: 'own' },
  saft_lines_csv: { name: 'Lines in the names of SAF-T (CSV)', of: 'all', layout: 'unverified' },
  datev_csv: {
    name: 'Postings for DATEV (EXTF 700)',
    of: ['generic'],
    layout: 'unverified',
    fields: [
      { name: 'consultant', label: 'Number of the tax consultant' },
      { name: 'client', label: 'Number of the client' },
      {
        name: 'chart',
        label: 'Chart of accounts',
        choices: [
          ['skr03', 'SKR03'],
          ['skr04', 'SKR04'],
        ],
      },
      { name: 'debtor_account', label: 'Account of all customers', hint: 'Such as 10000' },
    ],
  },
}

/** The meaning of each kind of layout. */
export const LAYOUTS = {
  verified: 'The tests of this service compare this layout with the schema of the office.',
  unverified: 'This layout follows the documentation of the office. Import a first file with care.',
  own: 'A layout of this service, not of an office.',
}

/** The fields in the boxes of a form, by their boxes. */
export function fieldsInBoxes(type: FilingType): ReadonlyMap<string, FileField> {
  const fields = filesOf(type).flatMap((file) => file.fields)
  return new Map(fields.flatMap((field) => (field.box === undefined ? [] : [[field.box, field]])))
}

/** The files that can be made of a return, the one for its office first. */
export function filesOf(type: FilingType) {
  return Object.entries(FILES).flatMap(([format, file]) =>
    file.of === 'all' || file.of.includes(type) ? [{ fields: [], format, ...file }] : [],
  )
}
