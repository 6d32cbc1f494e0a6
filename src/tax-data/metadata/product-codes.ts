import type * as z from 'zod'
import type { Answer } from '../../platform/http/answers.ts'
import { pageOf } from '../../platform/http/page.ts'
import { CODES } from '../product-codes/code-list.ts'
import type { ProductCodesAnswer, ProductCodesQuery } from './schemas.ts'

/** A page of the codes of other services, with what each means here. */
export function listProductCodes({
  system,
  code,
  limit = 500,
  offset = 0,
}: z.output<typeof ProductCodesQuery>): Answer<typeof ProductCodesAnswer> {
  const known = code === undefined ? [...CODES.values()] : [CODES.get(code) ?? []].flat()
  const codes = known.filter((each) => system === undefined || each.system === system)
  return { product_codes: codes.slice(offset, offset + limit), ...pageOf(codes.length, limit, offset) }
}
