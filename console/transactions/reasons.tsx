import type { Child } from 'hono/jsx/dom'
import type {
  ExplainedTransactionAnswer,
  SaleExplanation,
  TaxBreakdownEntry,
  TraceStep,
  Transaction,
} from '../../client/src/schema.ts'
import { formatMoney, formatRate } from '../format.ts'
import { placeName } from '../names.ts'
import { Badge, Folded } from '../parts/parts.tsx'
import { PlainTable } from '../parts/table.tsx'
import { counted, inWords, reasonWords, sentence, withSpaces } from '../words.ts'

type ReasonsProps = {
  lines: readonly { badge: string; sentence: string }[]
  steps: readonly TraceStep[]
  children?: Child
}

/** More of them would push away what follows. */
const LINES_TOLD = 5

/** Why each line bears its tax: a badge and a sentence, then `children`, with all steps folded below. */
export function Reasons({ lines, steps, children }: ReasonsProps) {
  const told = (some: typeof lines) =>
    some.map((line) => (
      <p>
        <Badge word={line.badge} tone="plain" /> {line.sentence}
      </p>
    ))
  const others = lines.slice(LINES_TOLD)
  return (
    <>
      {told(lines.slice(0, LINES_TOLD))}
      {others.length > 0 && (
        <Folded title={`Why ${counted(others.length, 'other line')}`} make={() => told(others)} />
      )}
      {children}
      {steps.length > 0 && (
        <details>
          <summary>All steps, with the law</summary>
          <Steps of={steps} />
        </details>
      )}
    </>
  )
}

type TaxOfPlace = Omit<TaxBreakdownEntry, 'name'>

/** The taxes of a sale by place, kind and rate, or nothing if there is none. */
export function Taxes({ of, currency }: { of: readonly TaxOfPlace[]; currency: string }) {
  if (of.length === 0) return null
  return (
    <PlainTable
      caption="Taxes"
      heads={['Place', 'Tax', '#Rate', '#Taxable', '#Tax amount']}
      rows={of.map((tax) => [
        placeName(tax.jurisdiction_id),
        <>
          {sentence(`${taxInWords(tax.tax_type)}, ${withSpaces(tax.category)}`)}
          {tax.components?.map(({ name, rate, tax_amount }) => (
            <span class="quiet small block">
              {`${name} ${formatRate(rate)}: ${formatMoney(tax_amount, currency)}`}
            </span>
          ))}
        </>,
        formatRate(tax.rate),
        formatMoney(tax.taxable_amount, currency),
        formatMoney(tax.tax_amount, currency),
      ])}
    />
  )
}

/** `SALES_TAX` is Sales tax; VAT and GST are their own names. */
function taxInWords(type: string): string {
  return type.includes('_') ? sentence(withSpaces(type).toLowerCase()) : type
}

/** The rules of a calculation that were applied, in the order of work, each with its law. */
function Steps({ of }: { of: readonly TraceStep[] }) {
  return (
    <ol class="steps">
      {of.map(({ step, line, rule, outcome, basis }) => (
        <li>
          <strong>{inWords(step)}</strong>
          {line === null ? '' : `, line ${line + 1}`}
          <div>{sentence(rule)}</div>
          <div>→ {outcome}</div>
          {basis !== null && <div class="law">{basis}</div>}
        </li>
      ))}
    </ol>
  )
}

/**
 * Why a sale has this tax, as it was recorded. It is never calculated again: other facts would give the
 * reason of another sale.
 */
export function Why({ sale }: { sale: ExplainedTransactionAnswer }) {
  const { explanation = null, explanation_note = null } = sale
  return (
    <section class="section" aria-label="Why">
      {sale.tax_source === 'calculated' && sale.tax_variance ? (
        <p>{`The total that was charged is ${differenceOf(sale)} than the calculated one.`}</p>
      ) : null}
      {explanation === null ? <AsRecorded sale={sale} /> : <Kept {...explanation} />}
      {explanation_note !== null && <p class="quiet small">{explanation_note}.</p>}
    </section>
  )
}

/** What a sale says of its tax itself, if no reason was kept with it. */
function AsRecorded({ sale }: { sale: Transaction }) {
  const lines = sale.line_items.flatMap((line) => {
    const { description, product_type, reason_detail, taxability_reason } = line
    const reason = reason_detail ?? (taxability_reason === null ? null : reasonWords(taxability_reason))
    return reason === null ? [] : [{ name: description ?? withSpaces(product_type), reason }]
  })
  return (
    <>
      {sale.tax_source === 'given' && (
        <p>
          The tax is as your invoice states it.
          {sale.tax_variance ? ` That is ${differenceOf(sale)} than expected.` : ''}
        </p>
      )}
      {lines.map(({ name, reason }) => (
        <p>
          {sale.line_items.length > 1 && <strong>{name}: </strong>}
          {reason}
        </p>
      ))}
    </>
  )
}

/** `€1.00 more`. */
function differenceOf({ tax_variance, currency }: Transaction): string {
  const variance = tax_variance ?? 0
  return `${formatMoney(Math.abs(variance), currency)} ${variance < 0 ? 'less' : 'more'}`
}

function Kept({ lines, refunds, steps }: SaleExplanation) {
  return (
    <Reasons lines={lines} steps={[...steps, ...lines.flatMap((line) => line.steps)]}>
      {refunds.map((refund) => (
        <p>{refund.sentence}</p>
      ))}
    </Reasons>
  )
}
