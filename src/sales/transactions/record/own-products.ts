import type { Context } from '../../../platform/context.ts'
import { late } from '../../../platform/kit/late.ts'
import { withAmounts } from '../../calculation/line-amounts.ts'
import { withOwnTypes } from '../../../tax-data/product-codes/product-of-code.ts'
import { noteUnmapped } from '../../../tax-data/product-codes/unmapped.ts'
import type { TransactionInput, TransactionRequested } from '../sale/schemas.ts'

const tokens = late(() => import('./from-token.ts'))

/**
 * A sale with its calculation in place of a token, amounts in place of unit prices, and our product types in
 * place of codes. Throws
 * invalid_request, and unknown_product_code if the account refuses codes that have no type here.
 */
export async function withOwnProducts(
  context: Context,
  requested: TransactionRequested,
): Promise<TransactionInput> {
  const { calculation_token } = requested
  const { line_items, calculation, ...rest } =
    calculation_token === undefined
      ? requested
      : await (await tokens.load()).withTokenOpened(context, { ...requested, calculation_token })
  const lines = line_items && (await withOwnTypes(withAmounts(line_items)))
  const calculated = calculation && (await withOwnTypes(calculation.line_items, 'calculation.line_items'))
  if (lines) noteUnmapped(context, lines)
  if (calculated) noteUnmapped(context, calculated, (index) => `calculation.${fieldOf(index)}`)
  return {
    ...rest,
    ...(lines && { line_items: lines }),
    ...(calculation && calculated && { calculation: { ...calculation, line_items: [...calculated] } }),
  }
}

function fieldOf(index: number): string {
  return `line_items[${index}].product_type`
}
