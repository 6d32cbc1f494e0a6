import type { ReturnRow } from '../archive/returns-store.ts'
import type { PresentedReturn } from './present-return.ts'
import { stateTotals } from './state-totals.ts'

/** Fields that returns of earlier releases lack. */
const OF_EARLIER_RELEASES = {
  seller: { name: '', country: null, vat_id: null, registrations: [] },
  daily_exchange_rates: [],
  jurisdiction_taxes: [],
  overlaps_filed: [],
  amendments: [],
  time_zone: null,
  vendor_compensation: [],
  inputs: { boxes: {} },
}

/** The figures as they were filed. */
export function figuresAsFiled({ content }: Pick<ReturnRow, 'content'>): PresentedReturn {
  const figures: Omit<PresentedReturn, 'state_totals'> & Partial<PresentedReturn> = {
    ...OF_EARLIER_RELEASES,
    ...JSON.parse(content),
  }
  const { supplies, corrections, boxes } = figures
  return {
    ...figures,
    state_totals: figures.state_totals ?? (boxes.length > 0 ? [] : stateTotals(supplies, corrections)),
  }
}
