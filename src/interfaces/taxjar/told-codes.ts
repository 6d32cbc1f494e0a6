import type { ReadCode } from '../../tax-data/product-codes/product-of-code.ts'
import type { Annotation } from './annotations.ts'

/** An order may have 500 lines. A header of this many codes is still short enough for every client. */
const CODES_MAX = 20

type ReadCodeLine = { code?: ReadCode | undefined }

/**
 * The headers that name the tax codes of an order that have no type here, and those whose type is only close,
 * and the note of our log line. The form of TaxJar has no field for it.
 */
export function toldCodes(lines: readonly ReadCodeLine[]): Annotation {
  const codes = lines.flatMap(({ code }) => code ?? [])
  if (codes.length === 0) return {}
  const unknown = codes.filter(({ mapped }) => !mapped)
  const uncertain = codes.filter((code) => code.mapped && code.uncertain)
  return {
    headers: {
      ...(unknown.length > 0 && { 'X-Unknown-Tax-Code': listed(unknown) }),
      ...(uncertain.length > 0 && { 'X-Uncertain-Tax-Code': listed(uncertain) }),
    },
    note: unknown.length > 0 ? 'unknown_product_tax_code' : null,
  }
}

/** Codes as the value of a header, which accepts visible ASCII alone. */
function listed(codes: readonly ReadCode[]): string {
  const names = [...new Set(codes.map(({ code }) => code.slice(0, 60).replaceAll(/[^!-+\--~]/g, '?')))]
  const more = names.length - CODES_MAX
  return [...names.slice(0, CODES_MAX), ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
