import type { LayerTreatment, TaxLayer } from '../book/layer.ts'
import type { Duty, Supplied, Walk } from '../found/found.ts'
import type { Place, RegimeLaw, TaxedKind, TaxedSupply } from '../regimes/regime.ts'
import { isEstablishedElsewhere } from '../sale/sale.ts'
import { findThresholds, passesByTurnover } from './thresholds.ts'

/** Step 4: whether the seller may charge one tax of a supply at a place. */
export function mayCharge(
  { registrations, seller }: Walk,
  { law }: Place,
  supply: TaxedSupply,
  layer: TaxLayer,
  { freed }: Supplied,
): boolean {
  if (freed.includes(layer)) return false
  if (registrations.stated !== null) return registrations.stated
  const { provinces } = law
  // A province asks its own sellers only; a country with one tax asks all that are established in it.
  const established = provinces?.isEstablishedFor(layer, supply, seller) ?? supply.established
  return (
    registrations.assumed || established || registrationsFor(law, layer, supply).some(registrations.holds)
  )
}

/** Registrations that entitle the seller to charge one tax of a supply. Any one of them is enough. */
export function registrationsFor(
  { provinces }: RegimeLaw,
  layer: TaxLayer,
  supply: TaxedSupply,
): readonly string[] {
  return provinces === null ? supply.registrations : provinces.registrationFor(layer, supply)
}

/** The duty of a seller before it may collect one tax of a supply at a place. */
export function dutyFor(
  { book, sale, seller, origin }: Walk,
  place: Place,
  kind: TaxedKind,
  supply: TaxedSupply,
  { layer, taxed, zero_rated }: LayerTreatment,
): Duty {
  const { without, passed, ...records } = place.law.thresholds(book, {
    layer,
    place,
    seller,
    origin: kind === 'goods' ? origin : null,
    kind,
    over_eu_threshold: sale.seller.over_eu_threshold,
    established_elsewhere: isEstablishedElsewhere(sale.seller),
    present_in: sale.seller.present_in,
  })
  const [threshold = null, other_limit = null] = findThresholds(
    book,
    { ...records, without, passed },
    sale.day,
  )
  const by_turnover =
    threshold !== null && passesByTurnover(book, threshold, sale.seller.global_turnover ?? null)
  return {
    layer,
    registrations: registrationsFor(place.law, layer, supply),
    threshold: threshold?.amount === null ? null : threshold,
    other_limit,
    without,
    passed: passed || by_turnover === true,
    depends_on_turnover: by_turnover === null,
    exempt: layer.tax_type !== 'SALES_TAX' && !taxed && !zero_rated,
  }
}
