import { componentsOfRate, componentsOfTax } from '../book/rate-components.ts'
import { at } from '../ground/invariant.ts'
import { INVOICE_NEEDS } from '../ground/invoice-words.ts'
import type { InvoiceCategory, InvoiceDetails, InvoiceRow } from '../ground/invoice-details.ts'
import type { InvoiceView, LineRowView, RowView, TreatmentView } from './invoice-view.ts'
import { findingsOf, MESSAGES } from './findings.ts'
import { chooseText, type InvoiceTexts, languageOfLaw } from './texts.ts'

/** The view of a sale, and the rows of each line, the shipping last. */
export type SaleView = { view: InvoiceView; lines: LineRowView[][]; treatments: TreatmentView[] }

type ViewAsked = {
  texts: InvoiceTexts
  /** Null: that of the law. */
  language: string | null
  /** The day of the sale, YYYY-MM-DD. */
  day: string
  /** Digits after the point in the currency. */
  digits: number
  /** The number of each of `numbers`; null: it is not on file. */
  registration_numbers: readonly (string | null)[]
}

/** What an invoice of a sale says, in a language. */
export function viewOf(details: InvoiceDetails, shown: ViewAsked): SaleView {
  const language = shown.language ?? languageOfLaw(shown.texts, details.country)
  const asked = { language, law: details.country, day: shown.day }
  const treatments = details.treatments.map((treatment) => treatmentView(treatment, shown.texts, asked))
  const origins = details.treatments.map(({ at_origin }) => {
    if (at_origin === null) return null
    const { jurisdiction_id, ...rest } = at_origin
    const whole = { ...rest, rate_millionths: null, stated_reason: null }
    const { rate_percent: _, ...view } = treatmentView(whole, shown.texts, asked)
    return { ...view, jurisdiction_id }
  })
  const lines = details.lines.map((rows) =>
    rows.map(({ treatment, taxable_amount, tax_amount }) => ({
      ...at(treatments, treatment),
      taxable_amount,
      tax_amount,
      at_origin: origins[treatment] ?? null,
      seller_registrations: at(details.treatments, treatment).numbers,
      ...componentsOfRow(at(details.treatments, treatment), tax_amount),
    })),
  )
  const seller_registrations = details.numbers.map((number, index) => ({
    ...number,
    registration_number: number.printed ? (shown.registration_numbers[index] ?? null) : null,
  }))
  const breakdown = breakdownOf(details.lines.flat(), treatments)
  return {
    view: {
      language,
      tax_scheme: details.tax_scheme,
      breakdown,
      seller_registrations,
      requires: needsOf(breakdown),
      warnings: findingsOf({ details, lines, breakdown, seller_registrations, digits: shown.digits }),
    },
    lines,
    treatments,
  }
}

function componentsOfRow(
  { made_of }: InvoiceDetails['treatments'][number],
  tax_amount: number,
): Pick<LineRowView, 'components'> {
  return made_of === undefined ? {} : { components: componentsOfTax(componentsOfRate(made_of), tax_amount) }
}

/** The view of a sale with which none was kept. */
export function emptyView(language: string | null): InvoiceView {
  return {
    language: language ?? 'en',
    tax_scheme: null,
    breakdown: [],
    seller_registrations: [],
    requires: [],
    warnings: [{ code: 'not_kept', message: MESSAGES.not_kept, lines: [] }],
  }
}

type Named = Pick<
  InvoiceDetails['treatments'][number],
  'category' | 'rate_millionths' | 'code' | 'text' | 'stated_reason'
>

function treatmentView(
  { category, rate_millionths, code, text, stated_reason }: Named,
  texts: InvoiceTexts,
  asked: { language: string; law: string; day: string },
): TreatmentView {
  const rate_percent = rate_millionths === null ? null : String(rate_millionths / 10_000)
  const plain = { category, rate_percent, exemption_code: code }
  if (stated_reason !== null)
    return { ...plain, exemption_text: stated_reason, text_language: null, text_source: 'request' }
  const chosen = text === null ? null : chooseText(texts, text, asked)
  if (chosen === null) return { ...plain, exemption_text: null, text_language: null, text_source: null }
  return {
    ...plain,
    exemption_code: code ?? chosen.code,
    exemption_text: chosen.text,
    text_language: chosen.language,
    text_source: chosen.source,
  }
}

/**
 * The breakdown (BG-23): one row for each category, rate, code and text, in the order of the lines. What has
 * no category is not in it.
 */
export function breakdownOf(rows: readonly InvoiceRow[], treatments: readonly TreatmentView[]): RowView[] {
  const found = new Map<string, RowView>()
  for (const { treatment, taxable_amount, tax_amount } of rows) {
    const said = at(treatments, treatment)
    const { category, rate_percent, exemption_code, exemption_text } = said
    if (category === null) continue
    const key = JSON.stringify([category, rate_percent, exemption_code, exemption_text])
    const known = found.get(key)
    if (known === undefined) found.set(key, { ...said, taxable_amount, tax_amount })
    else {
      known.taxable_amount += taxable_amount
      known.tax_amount += tax_amount
    }
  }
  return [...found.values()]
}

/** BR-AE-02, BR-IC-02, BR-IC-11, BR-IC-12. */
function needsOf(breakdown: readonly RowView[]): InvoiceView['requires'] {
  const has = (category: InvoiceCategory) => breakdown.some((row) => row.category === category)
  if (has('K')) return [...INVOICE_NEEDS]
  return has('AE') ? ['buyer_vat_id'] : []
}
