import type { ExplainedTransactionAnswer, SaleExplanation, Transaction } from '../../client/src/schema.ts'
import { formatMoney } from '../format.ts'
import { Part } from '../parts/parts.tsx'
import { withSpaces } from '../words.ts'
import { Reasons } from './reasons.tsx'

/**
 * Why a sale has this tax, as it was recorded. It is never calculated again: other facts would give the
 * reason of another sale.
 */
export function Why({ sale }: { sale: ExplainedTransactionAnswer }) {
  const { explanation = null, explanation_note = null } = sale
  return (
    <Part title="Why">
      {explanation === null ? <AsRecorded sale={sale} /> : <Kept {...explanation} />}
      {explanation_note !== null && <p class="quiet small">{explanation_note}.</p>}
    </Part>
  )
}

/** What a sale says of its tax itself, if no reason was kept with it. */
function AsRecorded({ sale }: { sale: Transaction }) {
  const lines = sale.line_items.flatMap((line) => {
    const { description, product_type, reason_detail, taxability_reason } = line
    const reason = reason_detail ?? (taxability_reason === null ? null : withSpaces(taxability_reason))
    return reason === null ? [] : [{ name: description ?? withSpaces(product_type), reason }]
  })
  const variance = sale.tax_variance ?? 0
  const difference = formatMoney(Math.abs(variance), sale.currency)
  const more = variance < 0 ? 'less' : 'more'
  return (
    <>
      {sale.tax_source === 'given' && (
        <p>
          The tax is as your invoice states it.
          {variance !== 0 && ` That is ${difference} ${more} than this service calculated.`}
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

function Kept({ lines, refunds, steps }: SaleExplanation) {
  return (
    <Reasons lines={lines} steps={[...steps, ...lines.flatMap((line) => line.steps)]}>
      {refunds.map((refund) => (
        <p>{refund.sentence}</p>
      ))}
    </Reasons>
  )
}
