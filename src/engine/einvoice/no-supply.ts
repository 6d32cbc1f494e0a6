import type { Terms, Walk } from '../found/found.ts'
import { standardOf } from './invoice-law.ts'
import { numberAtHome } from './seller-numbers.ts'
import { NOTHING_SAID, type Treated } from './treatments.ts'

/** What the request says of the line. `beside`: other lines of the invoice have a category. */
type NoSupplySaid = { stated_reason: string | null; beside: boolean }

/**
 * A line that is no supply is out of the scope of the tax: O, which goes with no other category (BR-O-11 to
 * BR-O-14). Beside others it is E with its sentence, the only form that passes. The words are those of the
 * request, else those of the law. PINT A-NZ has no category for it.
 */
export function noSupplyTreatment(walk: Walk, terms: Terms, said: NoSupplySaid): Treated {
  const { stated_reason, beside } = said
  const standard = standardOf(terms.supplied.place, 'service')
  if (standard !== 'eu' && standard !== 'gb')
    return {
      treatment: { ...NOTHING_SAID, category: null, rate_millionths: null },
      numbers: [],
      standard: null,
    }
  return {
    treatment: {
      ...NOTHING_SAID,
      category: beside ? 'E' : 'O',
      rate_millionths: beside ? 0 : null,
      code: beside || standard === 'gb' ? null : 'VATEX-EU-O',
      text: stated_reason === null ? { key: 'no_supply', country: null } : null,
      stated_reason,
    },
    numbers: numberAtHome(walk, beside ? 'BT-31' : 'BT-32'),
    standard,
  }
}
