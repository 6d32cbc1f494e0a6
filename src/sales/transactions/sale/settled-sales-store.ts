import type { KeptCredit, RefundPart, SettlementRow, SettlementTaken } from './rows.ts'
import type { LineContext } from './sale-context.ts'

/** A settlement with the lines of its final sale, or with `lines` null a refund or note of a final sale. */
export type SettlementRead = SettlementRow & { id: string; lines: string | null }

/** The live settlements of the sales that `named` selects, and all that gives back their final sales. */
export const readSettlements = <Named extends string>(named: Named) =>
  `WITH settled AS (SELECT settlements.*, facts ->> '$.lines' AS lines FROM settlements
     JOIN transactions ON transactions.id = settlements.transaction_id AND status <> 'voided'
     WHERE settlements.account_id = ?1 AND settled_id IN (${named}))
   SELECT transaction_id AS id, transaction_id, settled_id, amount, tax_amount, parts, lines FROM settled
   UNION ALL SELECT refunds.id, settled.transaction_id, settled_id, 0, 0, refunds.parts, NULL FROM settled
     JOIN refunds ON refunds.account_id = ?1 AND refunds.transaction_id = settled.transaction_id
   UNION ALL SELECT note.id, settled.transaction_id, settled_id, 0, 0, note.facts ->> '$.credits', NULL
     FROM settled JOIN transactions note ON note.account_id = ?1
       AND note.credited_sale = settled.transaction_id AND note.status IN ('completed', 'refunded')` as const

/** What was settled of each sale by its id, and what came free of it when final sales were given back. */
export function settlementsOf(rows: readonly SettlementRead[]): Map<string, SettlementTaken[]> {
  const settled = rows.filter(({ lines }) => lines !== null)
  const taken = rows.map(({ id, lines, ...row }): SettlementTaken => {
    if (lines !== null) return row
    const of = settled.find((each) => isSame(each, row))
    return { ...freed(of === undefined ? [] : linesThatSettle(of), row), transaction_id: id }
  })
  return Map.groupBy(taken, ({ settled_id }) => settled_id)
}

function isSame(one: SettlementRow, other: SettlementRow): boolean {
  return one.transaction_id === other.transaction_id && one.settled_id === other.settled_id
}

/** By position of the line that takes it off: each part of the earlier sale that was settled. */
function linesThatSettle({ settled_id, parts, lines }: SettlementRead): [number, RefundPart][] {
  const contexts: Record<number, LineContext> = JSON.parse(lines ?? '{}')
  const positions = Object.entries(contexts).flatMap(([position, { settles }]) =>
    settles === settled_id ? [Number(position)] : [],
  )
  const settled: RefundPart[] = JSON.parse(parts)
  return settled.flatMap((part, index): [number, RefundPart][] => {
    const position = positions.toSorted((a, b) => a - b)[index]
    return position === undefined ? [] : [[position, part]]
  })
}

/** What a refund or note of a final sale takes of the lines that settle: negative, as these lines are. */
function freed(settled: readonly [number, RefundPart][], row: SettlementRow): SettlementTaken {
  const back: (RefundPart | KeptCredit)[] = JSON.parse(row.parts ?? '[]')
  const parts = settled.flatMap(([position, part]) =>
    back
      .map(amountsOf)
      .filter((each) => each.position === position)
      .map((each) => ({ ...part, ...each, position: part.position })),
  )
  const [amount, tax_amount] = [
    parts.reduce((sum, part) => sum + part.net_amount + part.tax_amount, 0),
    parts.reduce((sum, part) => sum + part.tax_amount, 0),
  ]
  return { ...row, amount, tax_amount, parts: JSON.stringify(parts), freed_from: row.transaction_id }
}

function amountsOf(back: RefundPart | KeptCredit) {
  if (!Array.isArray(back)) {
    const { position, net_amount, taxable_amount, tax_amount, provincial_tax_amount } = back
    return { position, net_amount, taxable_amount, tax_amount, provincial_tax_amount }
  }
  const [position, , net_amount, taxable_amount, tax_amount, provincial_tax_amount] = back
  return { position, net_amount, taxable_amount, tax_amount, provincial_tax_amount }
}
