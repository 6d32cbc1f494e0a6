import { MILLION } from '../arithmetic/rounding.ts'
import { type BundleScope, type Jurisdiction, BUNDLE_SCOPES } from '../book/facts.ts'
import { isWithin, supplyKind } from '../book/product-types.ts'
import { invariant } from '../ground/invariant.ts'
import type { BundleLaw, FreeBundle, Place, RegimeLaw } from '../regimes/regime.ts'

/** What the data of a place says of bundles, else what its law says; null: it is not on file. */
export function bundleLawOf(
  { bundles, bundles_of, bundles_free, bundles_law }: Jurisdiction,
  law: RegimeLaw,
): BundleLaw | null {
  if (!bundles) return law.bundles
  if (bundles === 'unknown') return law.bundles === null ? null : { ...law.bundles, certain: false }
  return {
    taxed: bundles,
    basis: bundles_law ?? 'law of the state',
    of: bundles_of ?? 'all',
    free: bundles_free?.split(' ').map(freeBundle) ?? [],
    certain: true,
  }
}

/** `food:0.5` frees bundles with food whose taxable products are at most half of the price. */
function freeBundle(text: string): FreeBundle {
  const [scope, fraction] = text.split(':')
  const of = invariant(BUNDLE_SCOPES.find((each) => each === scope) ?? null, `${text} names bundles`)
  return { of, up_to_millionths: Math.round(Number(fraction) * MILLION) }
}

/** The law of a place on a bundle of these product types; null: it is not on file. */
export function bundleLawFor({ bundles }: Place, types: readonly string[]): BundleLaw | null {
  return bundles !== null && isBundleOf(bundles.of, types) ? bundles : null
}

/** Whether the law frees a bundle because its taxable products are a small part of it. */
export function isFreeBundle(
  { of, up_to_millionths }: FreeBundle,
  types: readonly string[],
  taxable_millionths: number,
): boolean {
  return taxable_millionths <= up_to_millionths && isBundleOf(of, types)
}

const FOOD = ['groceries', 'luxury_food', 'candy', 'snacks', 'soft_drinks', 'dietary_supplements']
const MEDICAL = ['prescription_drugs', 'otc_drugs', 'medical_devices']

function isBundleOf(scope: BundleScope, types: readonly string[]): boolean {
  if (scope === 'all') return true
  if (!types.every((type) => supplyKind(type) === 'goods')) return false
  if (scope === 'goods') return true
  const named = scope === 'food' ? FOOD : MEDICAL
  return types.some((type) => named.some((broad) => isWithin(type, broad)))
}
