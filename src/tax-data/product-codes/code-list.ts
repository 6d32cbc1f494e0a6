import records from '../../../data/product-codes.json' with { type: 'json' }
import { PRODUCT_TYPE_IDS, type ProductTypeName } from '../../engine/book/product-types.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { CERTAINTIES, type Certainty, CODE_SYSTEMS, type CodeSystem } from './certainties.ts'

// Its text is large, so only held-list.ts imports it, at the first code of a request.

/** A code of another service, and what it means here. */
export type ListedCode = {
  system: CodeSystem
  code: string
  /** Null exactly if `certainty` is `not_taxable` or `none`. */
  product_type: ProductTypeName | null
  certainty: Certainty
  /** The type that may be meant by a code without one; null: none is close. */
  suggest: ProductTypeName | null
  /** Where law or meaning differ. */
  note: string | null
}

/** All codes of data/product-codes.json, in its order within each system. */
export const CODES: ReadonlyMap<string, ListedCode> = new Map(
  records.flatMap(listedCodes).map((each) => [each.code, each]),
)

type CodesOfType = (typeof records)[number]

function listedCodes(record: CodesOfType): ListedCode[] {
  const { codes, system, certainty, product_type } = record
  const shared = {
    system: named(CODE_SYSTEMS, system),
    certainty: named(CERTAINTIES, certainty),
    product_type: typeOf(product_type),
    suggest: typeOf(record.suggest ?? null),
    note: record.note ?? null,
  }
  return codes.map((code) => ({ code, ...shared }))
}

function typeOf(id: string | null): ProductTypeName | null {
  return id === null ? null : named(PRODUCT_TYPE_IDS, id)
}

function named<Name extends string>(names: readonly Name[], given: string): Name {
  return invariant(names.find((name) => name === given) ?? null, `${given} is known`)
}
