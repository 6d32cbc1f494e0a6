import { placeOfCode } from '../../platform/http/place-name.ts'
import { minorDigits } from '../../engine/book/minor-digits.ts'
import { MEMBER_STATES, memberStateOf } from '../../engine/regimes/eu-member-states.ts'
import { readSaleContext } from '../../sales/transactions/sale/sale-context.ts'
import { usualVatId } from '../../parties/vat/usual-vat-id.ts'
import { type EuGroup } from '../forms/eu-boxes.ts'
import { groupInDomesticReturn, isSuppliedThere } from '../forms/eu-domestic.ts'
import type { LineEntry } from '../rows/line-entry.ts'
import { soldKindOf } from '../rows/sold-kind.ts'
import { withoutFormula } from '../../platform/kit/csv.ts'
import { mapInTurns } from '../../platform/kit/map-in-turns.ts'
import type { DocumentNumbers } from './document-numbers-store.ts'
import {
  decimalOf,
  type DocumentFormat,
  type Missing,
  requireWhole,
  type ReturnContent,
  vatCountry,
} from './format.ts'
import { percentOf } from './oss-supplies.ts'
import type { DocumentDetails } from './schemas.ts'

type Chart = 'skr03' | 'skr04'

/** Automatic revenue accounts of DATEV's charts, by group of sale: DATEV takes the tax from the account. */
const ACCOUNTS: Readonly<Record<Chart, Readonly<Record<string, string>>>> = {
  skr03: {
    'taxed 0.19': '8400',
    'taxed 0.07': '8300',
    exports: '8120',
    intra_union_goods: '8125',
    union_services: '8336',
    'distance_sales goods': '8320',
    'distance_sales services': '8331',
    abroad: '8338',
  },
  skr04: {
    'taxed 0.19': '4400',
    'taxed 0.07': '4300',
    exports: '4120',
    intra_union_goods: '4125',
    union_services: '4336',
    'distance_sales goods': '4320',
    'distance_sales services': '4331',
    abroad: '4338',
  },
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => [
    `${name} - Art ${index + 1}`,
    `${name} - Inhalt ${index + 1}`,
  ]).flat()

/** The columns of a batch of postings, version 7 of the format. */
const COLUMNS = [
  'Umsatz (ohne Soll/Haben-Kz)',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basis-Umsatz',
  'WKZ Basis-Umsatz',
  'Konto',
  'Gegenkonto (ohne BU-Schlüssel)',
  'BU-Schlüssel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
  'Postensperre',
  'Diverse Adressnummer',
  'Geschäftspartnerbank',
  'Sachverhalt',
  'Zinssperre',
  'Beleglink',
  ...numbered('Beleginfo', 8),
  'KOST1 - Kostenstelle',
  'KOST2 - Kostenstelle',
  'Kost-Menge',
  'EU-Land u. UStID',
  'EU-Steuersatz',
  'Abw. Versteuerungsart',
  'Sachverhalt L+L',
  'Funktionsergänzung L+L',
  'BU 49 Hauptfunktionstyp',
  'BU 49 Hauptfunktionsnummer',
  'BU 49 Funktionsergänzung',
  ...numbered('Zusatzinformation', 20),
  'Stück',
  'Gewicht',
  'Zahlweise',
  'Forderungsart',
  'Veranlagungsjahr',
  'Zugeordnete Fälligkeit',
  'Skontotyp',
  'Auftragsnummer',
  'Buchungstyp',
  'Ust-Schlüssel (Anzahlungen)',
  'EU-Land (Anzahlungen)',
  'Sachverhalt L+L (Anzahlungen)',
  'EU-Steuersatz (Anzahlungen)',
  'Erlöskonto (Anzahlungen)',
  'Herkunft-Kz',
  'Buchungs GUID',
  'KOST-Datum',
  'SEPA-Mandatsreferenz',
  'Skontosperre',
  'Gesellschaftername',
  'Beteiligtennummer',
  'Identifikationsnummer',
  'Zeichnernummer',
  'Postensperre bis',
  'Bezeichnung SoBil-Sachverhalt',
  'Kennzeichen SoBil-Buchung',
  'Festschreibung',
  'Leistungsdatum',
  'Datum Zuord. Steuerperiode',
]

/** DATEV reads a file without it as code page 1252. */
const BOM = '\uFEFF'

/**
 * A batch of postings for DATEV: each line with its tax, from a debtor's account to a revenue account of the
 * chart. For German sellers and sales in euros.
 */
export const datevCsv = {
  format: 'datev_csv',
  types: ['generic'],
  needs_lines: true,
  needs_numbers: true,
  mergeBy: null,
  media_type: 'text/csv',
  extension: 'csv',
  name_begins: 'EXTF_',
  layout: {
    status: 'unverified',
    source: 'DATEV, DATEV-Format, Buchungsstapel (EXTF 700, version 7)',
    source_url:
      'https://developer.datev.de/de/file-format/details/datev-format/format-description/booking-batch',
  },
  async write(content, details, missing) {
    const { figures, lines } = content
    requireWhole(figures, missing)
    if (figures.seller.country !== 'DE') missing.add('seller.country', 'must be DE: the accounts are German')
    for (const name of ['consultant', 'client', 'chart', 'debtor_account'] as const)
      if (details[name] === undefined) missing.add(name, 'is required for DATEV')
    if (figures.from_date.slice(0, 4) !== figures.to_date.slice(0, 4))
      missing.add('period', 'must be within one calendar year: the date of a posting has no year')
    const worth = lines.filter((line) => grossOf(line) !== 0)
    const posted = worth.filter((line) => whyNotPosted(line) === null)
    // A batch without a posting is no file, so what it lacks is the answer.
    if (posted.length === 0)
      for (const line of worth) missing.add(`transactions.${line.transaction_id}`, whyNotPosted(line) ?? '')
    const rows = await mapInTurns(posted, (line) => postingOf(line, content.numbers, details, missing))
    return BOM + [batchHeader(figures, details), COLUMNS.map(quoted).join(';'), ...rows, ''].join('\r\n')
  },
  beside({ lines }) {
    return lines
      .filter((line) => grossOf(line) !== 0)
      .flatMap((line) => {
        const why = whyNotPosted(line)
        const digits = minorDigits(line.currency)
        const amount = `${(grossOf(line) / 10 ** digits).toFixed(digits)} ${line.currency}`
        return why === null ? [] : [`${documentField(documentOf(line))} ${amount} of ${line.day} ${why}`]
      })
  },
} as const satisfies DocumentFormat

function grossOf({ net_amount, tax_amount }: LineEntry): number {
  return net_amount + tax_amount
}

/** The number of the invoice of a line. */
function documentOf({ facts, external_id, transaction_id }: LineEntry): string {
  return readSaleContext(facts).invoice_number ?? external_id ?? transaction_id
}

/** Why a line is no posting of the batch, so that the adviser posts it; null: it is one. */
function whyNotPosted(line: LineEntry): string | null {
  if (line.currency !== 'EUR')
    return `is in ${line.currency}: DATEV takes the rate of the day, which is not in the data`
  const group = groupInDomesticReturn('DE', line, 'DE')
  // Both charts have the same accounts.
  if (group !== null && accountOf('skr03', group, line) !== undefined) return null
  const reason = line.reason.replaceAll('_', ' ') || 'taxed'
  return `has no account: ${placeOfCode(line.place_of_supply)}, ${line.tax_rate / 10_000} %, ${reason}`
}

/** The first line of the file: the format, the seller's numbers at the tax consultant, and the days. */
function batchHeader(
  { from_date, to_date, filed }: ReturnContent['figures'],
  details: DocumentDetails,
): string {
  const plain = (day: string) => day.replaceAll('-', '')
  const created =
    filed === null ? `${plain(to_date)}000000000` : filed.filed_at.replaceAll(/\D/g, '').slice(0, 17)
  return [
    quoted('EXTF'),
    700,
    21,
    quoted('Buchungsstapel'),
    7,
    created,
    '',
    quoted(''),
    quoted(''),
    quoted(''),
    details.consultant ?? '',
    details.client ?? '',
    `${from_date.slice(0, 4)}0101`,
    4,
    plain(from_date),
    plain(to_date),
    quoted('Sales'),
    quoted(''),
    1,
    0,
    0,
    quoted('EUR'),
    '',
    quoted(''),
    '',
    '',
    quoted(''),
    '',
    '',
    quoted(''),
    quoted(''),
  ].join(';')
}

/** The second number of a document has at most so many characters: its last ones tell it from others. */
const SECOND_MAX = 12

function postingOf(
  line: LineEntry,
  { credit_notes, credited }: DocumentNumbers,
  details: DocumentDetails,
  missing: Missing,
): string {
  const id = `transactions.${line.transaction_id}`
  const group = groupInDomesticReturn('DE', line, 'DE')
  const account = group === null ? undefined : accountOf(details.chart ?? 'skr03', group, line)
  const document = documentOf(line)
  const second =
    line.refund_id === null ? credited.get(line.transaction_id) : credit_notes.get(line.refund_id)
  const vat_id = vatIdOf(line)
  if (vat_id === null && (group === 'intra_union_goods' || group === 'union_services'))
    missing.add(id, 'has no VAT id of the customer')
  const gross = grossOf(line)
  const taxedAbroad = group !== null && isTaxedAbroad(group, line)
  const cells: Record<string, string> = {
    'Umsatz (ohne Soll/Haben-Kz)': decimalOf(Math.abs(gross), ','),
    'Soll/Haben-Kennzeichen': quoted(gross < 0 ? 'H' : 'S'),
    'WKZ Umsatz': quoted('EUR'),
    Konto: details.debtor_account ?? '',
    'Gegenkonto (ohne BU-Schlüssel)': account ?? '',
    Belegdatum: `${line.day.slice(8, 10)}${line.day.slice(5, 7)}`,
    'Belegfeld 1': quoted(documentField(document)),
    ...(second && { 'Belegfeld 2': quoted(documentField(second).slice(-SECOND_MAX)) }),
    Buchungstext: quoted(withoutFormula(line.description ?? line.product_type).slice(0, 60)),
    ...(taxedAbroad && {
      'EU-Land u. UStID': quoted(vatCountry(memberStateOf(line.place_of_supply))),
      'EU-Steuersatz': percentOf(line.tax_rate / 1_000_000, ','),
    }),
    ...(!taxedAbroad && vat_id !== null && { 'EU-Land u. UStID': quoted(vat_id) }),
    // Left empty, the import locks the batch for good, whatever its header says.
    Festschreibung: '0',
    Leistungsdatum: `${line.day.slice(8, 10)}${line.day.slice(5, 7)}${line.day.slice(0, 4)}`,
  }
  return COLUMNS.map((name) => cells[name] ?? '').join(';')
}

/** A supply in another member state, which taxes it, at 0 % too. */
function isTaxedAbroad(group: EuGroup, line: LineEntry): boolean {
  if (group === 'distance_sales') return true
  const state = memberStateOf(line.place_of_supply)
  return group === 'abroad' && (line.tax_rate > 0 || (MEMBER_STATES.includes(state) && isSuppliedThere(line)))
}

function accountOf(chart: Chart, group: EuGroup, line: LineEntry): string | undefined {
  const accounts = ACCOUNTS[chart]
  if (group === 'taxed') return accounts[`taxed ${line.tax_rate / 1_000_000}`]
  return accounts[isTaxedAbroad(group, line) ? `distance_sales ${soldKindOf(line.product_type)}` : group]
}

/** The VAT id of the customer; null for a text that is none, which the field does not take. */
function vatIdOf({ customer_vat_id, customer_country }: LineEntry): string | null {
  return customer_vat_id === null ? null : usualVatId(customer_vat_id, customer_country)
}

/**
 * A number of a document, with the characters that the field takes. None of them would stop a spreadsheet
 * from reading a formula, so none is written that could begin one.
 */
function documentField(number: string): string {
  return number
    .replaceAll(/[^A-Za-z0-9$&%*+/-]/g, '')
    .replace(/^[+-]+/, '')
    .slice(0, 36)
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""').replaceAll(/[\r\n]/g, ' ')}"`
}
