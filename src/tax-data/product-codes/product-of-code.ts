import type { ProductNamed } from '../../platform/http/tax-enums.ts'
import { fieldError } from '../../platform/errors.ts'
import {
  PRODUCT_TYPE_IDS,
  type ProductTypeName,
  reasonOfNoSupply,
  type SupplyReason,
} from '../../engine/book/product-types.ts'
import type { CodeSystem } from './certainties.ts'
import type { ListedCode } from './code-list.ts'
import { type CodeList, heldCodes, loadCodes } from './held-list.ts'

/** What a line says of the code that it gave. */
export type ReadCode = {
  code: string
  /** Whether the code has a type of ours, or says that no tax is due. */
  mapped: boolean
  /** Whether the type is only close, so the rule of the line is uncertain. */
  uncertain: boolean
  note: string | null
}

/**
 * A product of ours. `taxable` is false if the code of the line says that no tax is due; `supply`, if it says
 * that the line is no supply.
 */
export type OwnProduct = {
  product_type: ProductTypeName
  taxable?: boolean | undefined
  supply?: boolean | undefined
  supply_reason?: SupplyReason | null | undefined
  code?: ReadCode
}

const OWN: ReadonlySet<string> = new Set(PRODUCT_TYPE_IDS)

/** Whether a product is named by a type of ours, and not by a code of another service. */
export function isOwnType(named: ProductNamed): named is ProductTypeName {
  return OWN.has(named)
}

/**
 * The product of a code, of one service or of any. A shop that can only name a product says by a code such as
 * `no_supply_tip` that a line is no supply. A code without a type is taxed in full, as the services
 * do it, and its note says so.
 */
export function productOfCode({ CODES }: CodeList, code: string, system: CodeSystem | null): OwnProduct {
  const supply_reason = reasonOfNoSupply(code)
  if (supply_reason !== null) return { product_type: 'physical_goods', supply: false, supply_reason }
  const found = CODES.get(code)
  if (found === undefined || (system !== null && found.system !== system)) return unmapped(code, UNKNOWN)
  const { certainty, product_type } = found
  if (certainty === 'not_taxable') return notTaxable(code)
  if (product_type === null) return unmapped(code, whyNone(found))
  const uncertain = certainty === 'broader'
  const note = found.note === null ? null : `The code ${code} is taken as ${product_type}. ${found.note}`
  return { product_type, code: { code, mapped: true, uncertain, note } }
}

const UNKNOWN = 'It is in no list of codes that we have'

function whyNone({ note, suggest }: ListedCode): string {
  return [note, suggest && `If ${suggest} fits, send that`].filter((part) => part !== null).join('. ')
}

function unmapped(code: string, why: string): OwnProduct {
  const note = `The code ${code} has no product type here, so the line is taxed in full. ${why}`
  return { product_type: 'physical_goods', code: { code, mapped: false, uncertain: true, note } }
}

function notTaxable(code: string): OwnProduct {
  const note = `The code ${code} says that no tax is due, so the line is not taxed`
  return {
    product_type: 'physical_goods',
    taxable: false,
    code: { code, mapped: true, uncertain: false, note },
  }
}

/**
 * Our type of a product that a question names. Throws unknown_product_type for a code without one: the
 * question would be answered for another product.
 */
async function requireType(named: ProductNamed, field = 'product_type'): Promise<ProductTypeName> {
  if (isOwnType(named)) return named
  const { CODES } = await loadCodes()
  const found = CODES.get(named)
  if (found?.product_type) return found.product_type
  const why = found === undefined ? UNKNOWN : whyNone(found)
  throw fieldError('unknown_product_type', field, `the code ${named} has no product type here. ${why}`)
}

/** The type of a question that may name no product. */
export async function requireTypeIfNamed(
  named: ProductNamed | undefined,
): Promise<ProductTypeName | undefined> {
  return named === undefined ? undefined : requireType(named)
}

type NamingLine = { product_type: ProductNamed } & Partial<
  Pick<OwnProduct, 'taxable' | 'supply' | 'supply_reason'>
>

/** A line whose product is named by a type of ours. */
export type OwnLine<Line extends NamingLine> = Line & OwnProduct

/**
 * Lines with our types in place of codes. The usual lines have no code: they are returned as they are, and
 * nothing waits. `field` names the lines in errors. Throws invalid_request for a line that contradicts its
 * code.
 */
export function withOwnTypes<Line extends NamingLine>(
  lines: readonly Line[],
  field = 'line_items',
): readonly OwnLine<Line>[] | Promise<readonly OwnLine<Line>[]> {
  if (lines.every(isOwnLine)) return lines
  const list = heldCodes()
  const replace = (held: CodeList) =>
    lines.map((line, index) => (isOwnLine(line) ? line : replaced(held, line, `${field}[${index}]`)))
  return list === null ? loadCodes().then(replace) : replace(list)
}

function replaced<Line extends NamingLine>(list: CodeList, line: Line, field: string): OwnLine<Line> {
  const own = productOfCode(list, line.product_type, null)
  const { supply, supply_reason } = line
  if (own.supply === false && (supply === true || (supply_reason ?? own.supply_reason) !== own.supply_reason))
    throw fieldError(
      'invalid_request',
      `${field}.${supply === true ? 'supply' : 'supply_reason'}`,
      `contradicts product_type ${line.product_type}`,
    )
  return { ...line, ...own }
}

function isOwnLine<Line extends NamingLine>(line: Line): line is OwnLine<Line> {
  return isOwnType(line.product_type)
}
