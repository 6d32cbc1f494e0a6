import type { Region } from '../../engine/book/regions.ts'
import { invariant } from '../../engine/ground/invariant.ts'
import { auBas } from './au-bas.ts'
import { caGst34 } from './ca-gst34.ts'
import { caBcPst, caMbRst, caQst, caSkPst } from './ca-provinces.ts'
import { euDomestic } from './eu-domestic.ts'
import type { Form } from './form.ts'
import { generic } from './generic.ts'
import { nzGst101a } from './nz-gst101a.ts'
import { ioss, ossNonUnion, ossUnion } from './oss.ts'
import { ukVat100 } from './uk-vat100.ts'
import { usAlSsut } from './us-al-ssut.ts'
import { usState } from './us-state.ts'

/**
 * The forms of the law regions that have one of their own. The sales of the others are in the generic return.
 */
export const FORMS_OF_REGION = {
  EU: [ossUnion, ossNonUnion, ioss, euDomestic],
  UK: [ukVat100],
  US: [usState, usAlSsut],
  CA: [caGst34, caQst, caBcPst, caSkPst, caMbRst],
  AU: [auBas],
  NZ: [nzGst101a],
} as const satisfies Readonly<Partial<Record<Region, readonly Form[]>>>

const FORMS = [...Object.values(FORMS_OF_REGION).flat(), generic] as const

export type FilingType = (typeof FORMS)[number]['type']

/** The types of returns, as requests name them. */
export const FILING_TYPES: readonly FilingType[] = FORMS.map(({ type }) => type)

/** The form of a type. */
export function formOf(type: FilingType): Form {
  return invariant(
    FORMS.find((form) => form.type === type),
    'each type has a form',
  )
}
