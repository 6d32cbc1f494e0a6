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
  oss_union: { name: 'VAT return, Union scheme (One Stop Shop)', ...identified('oss_union') },
  oss_non_union: { name: 'VAT return, non-Union scheme (One Stop Shop)', ...identified('oss_non_union') },
  ioss: { name: 'VAT return, import scheme (IOSS)', ...identified('ioss'), period: MONTH },
  eu_domestic: {
    name: 'Domestic VAT return',
    office: 'Tax office of the member state',
    period: MONTH,
    place: 'member_state',
  },
  uk_vat100: form('VAT Return (VAT100)', 'HM Revenue & Customs', 'GB'),
  us_state: {
    name: 'Sales and use tax return',
    office: 'Revenue department of the state',
    place: 'us_state',
  },
  al_ssut: {
    ...form('Simplified sellers use tax of Alabama', 'Alabama Department of Revenue', 'al_ssut'),
    period: MONTH,
  },
  ca_gst34: form('GST/HST return (GST34), with the provinces’ own taxes', 'Canada Revenue Agency', 'CA'),
  ca_qst: form('Québec sales tax (FPZ-500)', 'Revenu Québec', 'CA-QC'),
  ca_bc_pst: form(
    'Provincial sales tax of British Columbia',
    'British Columbia Ministry of Finance',
    'CA-BC',
  ),
  ca_sk_pst: form('Provincial sales tax of Saskatchewan', 'Saskatchewan Ministry of Finance', 'CA-SK'),
  ca_mb_rst: form('Retail sales tax of Manitoba', 'Manitoba Finance', 'CA-MB'),
  au_bas: form('Business activity statement (BAS), GST', 'Australian Taxation Office', 'AU'),
  nz_gst101a: { ...form('GST return (GST101A)', 'Inland Revenue', 'NZ'), period: '2026-08..2026-09' },
  generic: { name: 'All sales by place and rate', office: 'For returns without a form of their own' },
}

function form(name: string, office: string, of: string) {
  return { name, office, of }
}

function identified(of: string) {
  return { office: IDENTIFICATION, of }
}

/**
 * A fact that a file needs and a return does not contain. `declaration`: a box to tick. `box`: it is typed in
 * this box of the form, and `from` says where it is found. `choices`: it is one of these.
 */
export type FileField = {
  name: string
  label: string
  box?: string
  from?: string
  hint?: string
  as?: 'money' | 'declaration'
  choices?: Readonly<Record<string, string>>
  currency?: string
}

/** `command`: what sends the file, with the page about it. */
type TaxFile = {
  name: string
  command?: { office: string; name: string; page: string }
  of: readonly FilingType[] | 'all'
  layout: keyof typeof LAYOUTS
  fields?: readonly FileField[]
}

/** Where the figures of VAT100 are that sales do not give (VAT Notice 700/12, section 3). */
const PURCHASES = 'all your purchases and expenses, from your bookkeeping'
const ACQUISITIONS = 'goods that you brought from the EU into Northern Ireland; without such goods, 0'

const TRANSMISSION = 'Year, day of the year and a number: 26327000001'

/** The files of returns. `layout` says how sure the layout is (docs/returns.md). */
const FILES: Readonly<Record<FileFormatName, TaxFile>> = {
  hmrc_mtd_json: {
    ...file('HMRC Making Tax Digital, JSON', 'uk_vat100', 'verified'),
    command: { office: 'HMRC', name: 'tax-compliance mtd submit', page: '/docs/making-tax-digital' },
    fields: [
      { name: 'period_key', label: 'Period key', hint: 'HMRC gives it with the obligation, such as 18A1' },
      { box: '2', from: ACQUISITIONS, name: 'box_2', label: 'Box 2, VAT due on acquisitions', as: 'money' },
      { box: '4', from: PURCHASES, name: 'box_4', label: 'Box 4, VAT reclaimed', as: 'money' },
      { box: '7', from: PURCHASES, name: 'box_7', label: 'Box 7, purchases without VAT', as: 'money' },
      { box: '9', from: ACQUISITIONS, name: 'box_9', label: 'Box 9, acquisitions without VAT', as: 'money' },
      { name: 'finalised', label: 'I declare that the return is final', as: 'declaration' },
    ],
  },
  oss_xml: file('One Stop Shop, XML message of the Commission', 'oss_union', 'verified'),
  bzst_oss_csv: file('One Stop Shop, import of the German portal (CSV)', 'oss_union', 'unverified'),
  cz_oss_xml: file('One Stop Shop, document OSSEI1 of the Czech portal (XML)', 'oss_union', 'verified'),
  sst_ser_xml: {
    ...file('Simplified Electronic Return of Streamlined Sales Tax (XML)', 'us_state', 'verified'),
    fields: [
      { name: 'tin', label: 'Federal employer ID (EIN)', hint: 'Nine digits' },
      { name: 'sst_id', label: 'Central registration number (SSTID)', hint: 'Such as S12345678' },
      { name: 'transmission', label: 'Transmission', hint: TRANSMISSION },
      {
        name: 'sold_from',
        label: 'Where sales ship from',
        hint: 'If a sale has no ship-from address',
        choices: { in_state: 'In the state', out_of_state: 'In another state or abroad' },
      },
    ],
  },
  ec_sales_list: file('EC sales list, by customer (CSV)', 'eu_domestic', 'own'),
  de_zm_csv: file(
    'German recapitulative statement, Zusammenfassende Meldung (CSV)',
    'eu_domestic',
    'unverified',
  ),
  csv: { name: 'All figures (CSV)', of: 'all', layout: 'own' },
  saft_lines_csv: { name: 'Lines with the names of SAF-T (CSV)', of: 'all', layout: 'unverified' },
  datev_csv: {
    ...file('Postings for DATEV (EXTF 700)', 'generic', 'unverified'),
    fields: [
      { name: 'consultant', label: 'Consultant number (Beraternummer)' },
      { name: 'client', label: 'Client number (Mandantennummer)' },
      { name: 'chart', label: 'Chart of accounts', choices: { skr03: 'SKR03', skr04: 'SKR04' } },
      { name: 'debtor_account', label: 'Account for all customers', hint: 'Such as 10000' },
    ],
  },
}

function file(name: string, of: FilingType, layout: keyof typeof LAYOUTS) {
  return { name, of: [of], layout }
}

/** The meaning of each kind of layout. */
export const LAYOUTS = {
  verified: 'Validated against the tax office’s schema.',
  unverified:
    'Built from the tax office’s documentation, not yet confirmed by an import. Check the first file.',
  own: 'Our own layout, not a tax office’s.',
}

/** The fields in the boxes of a form, by their boxes. */
export function fieldsInBoxes(type: FilingType): ReadonlyMap<string, FileField> {
  const fields = filesOf(type).flatMap((file) => file.fields)
  return new Map(fields.flatMap((field) => (field.box === undefined ? [] : [[field.box, field]])))
}

/**
 * The number of a box as the office prints it. The tax beside a box has its number. A figure of ours, such
 * as `office-tax`, has none.
 */
export function printedBox(box: string): string {
  const [number = ''] = box.split(/[- ]/)
  return /\d|^[A-Z]+$/.test(number) ? number : ''
}

/** The files that can be made of a return, the one for its office first. */
export function filesOf(type: FilingType) {
  return Object.entries(FILES).flatMap(([format, file]) =>
    file.of === 'all' || file.of.includes(type) ? [{ fields: [], format, ...file }] : [],
  )
}
