import type { Place } from '../place.ts'
import { type Deal, isEstablishedIn, type RegimeLaw, type Supply } from './regime.ts'

/** GST/HST of Canada and the sales taxes of its provinces: Excise Tax Act (ETA), part IX; provincial acts. */
export const ca: RegimeLaw = { within: toProvince, from, to: toProvince, at, destination }

function toProvince(deal: Deal): Supply {
  return taxed(deal.customer, deal.seller)
}

function from(deal: Deal): Supply {
  return {
    kind: 'untaxed',
    reason: 'export',
    place: deal.seller.jurisdiction_id,
    basis: deal.kind === 'goods' ? 'ETA, sch. VI part V s. 1, 12' : 'ETA, sch. VI part V s. 7, 10, 10.1',
    detail: 'A supply to a customer outside Canada is zero-rated as an export',
  }
}

function at(place: Place, seller: Place | null): Supply {
  return taxed(place, seller)
}

function destination(customer: Place): Supply {
  return taxed(customer, null)
}

/** The GST/HST and each provincial tax have registrations of their own, so none is named here. */
function taxed(place: Place, seller: Place | null): Supply {
  return {
    kind: 'taxed',
    place: place.jurisdiction_id,
    registrations: null,
    established: isEstablishedIn(seller, 'CA'),
    basis: 'ETA, s. 165, sch. IX; New Harmonized Value-added Tax System Regulations',
    detail: 'The supply is made in the province of the customer',
  }
}
