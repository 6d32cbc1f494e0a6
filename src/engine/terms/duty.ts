import type { LayerTreatment } from '../book/layer.ts'
import type { Duty, Walk } from '../found/found.ts'
import { type Place, registrationsFor, type TaxedKind, type TaxedSupply } from '../regimes/regime.ts'
import { findThreshold, passesByTurnover } from './thresholds.ts'

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
  })
  const threshold = findThreshold(book, { ...records, without, passed }, sale.day)
  const by_turnover =
    threshold !== null && passesByTurnover(book, threshold, sale.seller.global_turnover ?? null)
  return {
    layer,
    registrations: registrationsFor(place.law, layer, supply),
    threshold: threshold?.amount === null ? null : threshold,
    without,
    passed: passed || by_turnover === true,
    depends_on_turnover: by_turnover === null,
    exempt: layer.tax_type !== 'SALES_TAX' && !taxed && !zero_rated,
  }
}
