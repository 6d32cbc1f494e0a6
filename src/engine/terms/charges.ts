import type { Place } from '../regimes/regime.ts'
import type { Charge, Walk } from '../found/found.ts'
import type { SupplyKind } from '../book/product-types.ts'
import type { LayerTreatment } from '../book/layer.ts'
import { findExemption } from '../sale/exemptions.ts'
import { at } from '../ground/invariant.ts'
import type { LocalTax } from '../regimes/us-local/local-stack.ts'
import type { Exemption } from '../sale/sale.ts'

/** A product that the law taxes at a place, with the local taxes there. */
export type TaxedProduct = {
  walk: Walk
  place: Place
  kind: SupplyKind
  local: LocalTax | null
  /** The exemptions that the product may rest on. */
  exemptions: readonly Exemption[]
}

const NONE: readonly never[] = []

/** An exemption removes all of a tax, a part or nothing: a provincial one may leave the federal part. */
export function chargesAfterExemptions(
  { walk: { book, sale }, place: { law }, kind, local, exemptions }: TaxedProduct,
  treatments: readonly LayerTreatment[],
): { charges: readonly Charge[]; exemption: Exemption | null } {
  let charges: readonly Charge[] = NONE
  let exemption: Exemption | null = null
  for (const treatment of treatments) {
    const { jurisdiction_id } = treatment.layer
    const found =
      exemptions.length === 0 ? null : findExemption(book, exemptions, jurisdiction_id, kind, sale.day)
    const left =
      found === null
        ? treatment.rate_millionths
        : (law.provinces?.remainsAfterExemption(treatment, found, book, sale.day) ?? null)
    const own = left === null ? NONE : chargesOf(treatment, left, local)
    charges = charges.length === 0 ? own : [...charges, ...own]
    if (left !== treatment.rate_millionths) exemption ??= found
  }
  return { charges, exemption }
}

type ChargedTax = Pick<Charge, 'jurisdiction_id' | 'tax_type' | 'levied_as' | 'rate_millionths'>

/** Charges with one key are one sum under document rounding. */
export function keyOfCharge({ jurisdiction_id, tax_type, levied_as, rate_millionths }: ChargedTax): string {
  return `${jurisdiction_id} ${tax_type} ${rate_millionths} ${levied_as ?? ''}`
}

function chargeOf(treatment: LayerTreatment, rate_millionths: number): Charge {
  const { jurisdiction_id, tax_type } = treatment.layer
  const levied_as = treatment.rule?.levied_as ?? null
  const charge = {
    key: keyOfCharge({ jurisdiction_id, tax_type, levied_as, rate_millionths }),
    jurisdiction_id,
    tax_type,
    levied_as,
    category: treatment.category,
    rate_millionths,
    fraction_millionths: treatment.fraction_millionths,
    compound: treatment.compound,
    stack: null,
  }
  const made_of = treatment.rate?.made_of
  return made_of && treatment.rate?.rate_millionths === rate_millionths ? { ...charge, made_of } : charge
}

/**
 * Local taxes fall on what bears the general rate. Of products with a rate of their own they are not on
 * file.
 */
export function bearsLocalTax(
  { layer, rule, rate_millionths, standard }: LayerTreatment,
  { base }: LocalTax,
): boolean {
  if (layer.on_top === true || rule?.levied_as) return false
  if (rule?.applies_to === 'state') return true
  if (base.product !== 'state') return base.product === 'own'
  return rate_millionths === standard?.rate_millionths
}

/** Whether local taxes fall on a product that the state itself does not tax. */
export function isTaxedLocally(treatment: LayerTreatment, local: LocalTax | null): boolean {
  return local !== null && local.stack.rate > 0 && isLeftToPlaces(treatment, local)
}

/** Whether the state frees the product from its own tax alone: by a rate of zero, or as a rule says. */
export function isLeftToPlaces(treatment: LayerTreatment, local: LocalTax): boolean {
  const { zero_rated, rule } = treatment
  return (zero_rated || rule?.applies_to === 'state') && bearsLocalTax(treatment, local)
}

/** Charges are made once for the local taxes of an address: they are the same for each sale to it. */
const made = new WeakMap<LocalTax, { of: Charge; charges: readonly Charge[] }[]>()

/** The charge of a tax. With the local charges on the same base, all of them are rounded as one sum. */
function chargesOf(
  treatment: LayerTreatment,
  rate_millionths: number,
  local: LocalTax | null,
): readonly Charge[] {
  const bears = local !== null && local.stack.parts.length > 0 && bearsLocalTax(treatment, local)
  const own = local !== null && local.own.length > 0 && treatment.layer.on_top !== true
  if (local === null || (!bears && !own)) return [chargeOf(treatment, rate_millionths)]
  const kept = made.get(local) ?? []
  for (const { of, charges } of kept) if (isChargeOf(of, treatment, rate_millionths)) return charges
  const of = chargeOf(treatment, rate_millionths)
  const charges = withLocal(of, local, bears)
  made.set(local, [...kept, { of, charges }])
  return charges
}

function isChargeOf(charge: Charge, treatment: LayerTreatment, rate_millionths: number): boolean {
  const { layer, rule, category, fraction_millionths, compound } = treatment
  return (
    charge.levied_as === (rule?.levied_as ?? null) &&
    charge.jurisdiction_id === layer.jurisdiction_id &&
    charge.tax_type === layer.tax_type &&
    charge.rate_millionths === rate_millionths &&
    charge.category === category &&
    charge.fraction_millionths === fraction_millionths &&
    charge.compound === compound
  )
}

/** `bears`: the taxes on all sales of the place fall on it. Those on the product alone always do. */
function withLocal(charge: Charge, local: LocalTax, bears: boolean): readonly Charge[] {
  if (local.levied_as !== null) return [chargeInstead(charge, local, local.levied_as)]
  const { parts, rates } = local.stack
  const general = bears ? parts.map((part, index) => localCharge(charge, part, at(rates, index))) : []
  const own = local.own.map((tax) =>
    localCharge({ ...charge, tax_type: tax.tax_type }, tax, tax.rate_millionths),
  )
  const all = [...(charge.rate_millionths === 0 ? [] : [charge]), ...general, ...own]
  const stack = all.map(({ key }) => key).join('|')
  return all.map((each) => ({ ...each, stack }))
}

/** A tax with one rate that stands instead of those of the state and its places. */
function chargeInstead(charge: Charge, { stack }: LocalTax, levied_as: string): Charge {
  const levied = { ...charge, levied_as, rate_millionths: stack.rate, category: 'standard' as const }
  return { ...levied, key: keyOfCharge(levied) }
}

function localCharge(charge: Charge, { id }: { id: string }, rate_millionths: number): Charge {
  const { tax_type, fraction_millionths } = charge
  return {
    key: `${id} ${tax_type} ${rate_millionths}`,
    jurisdiction_id: id,
    tax_type,
    levied_as: null,
    category: 'standard',
    rate_millionths,
    fraction_millionths,
    compound: false,
    stack: null,
  }
}
