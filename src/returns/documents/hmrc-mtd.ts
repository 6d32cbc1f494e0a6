import type * as z from 'zod'
import { type DocumentFormat, type Missing, requireWhole, type ReturnContent } from './format.ts'
import type { DocumentDetails, HmrcVatReturn } from './schemas.ts'

/** The boxes about purchases. */
type GivenBox = '2' | '4' | '7' | '9'

/**
 * The body of a VAT return for Making Tax Digital. Boxes about purchases come from the request. Boxes 1 to 5
 * have pence, boxes 6 to 9 whole pounds; box 5 is the difference without its sign.
 */
export const hmrcMtdJson = {
  format: 'hmrc_mtd_json',
  types: ['uk_vat100'],
  is_return: true,
  needs_lines: false,
  mergeBy: null,
  media_type: 'application/json',
  extension: 'json',
  layout: {
    status: 'verified',
    source: 'HMRC, VAT (MTD) API 1.0, POST /organisations/vat/{vrn}/returns',
    source_url: 'https://developer.service.hmrc.gov.uk/api-documentation/docs/api/service/vat-api/1.0',
  },
  write({ figures }, details, missing) {
    requireWhole(figures, missing)
    const purchases = (box: GivenBox) => purchasesOf(box, figures, details, missing)
    const [box_2, box_4, box_7, box_9] = [purchases('2'), purchases('4'), purchases('7'), purchases('9')]
    if (details.period_key === undefined)
      missing.add('period_key', 'give the key that HMRC names with the obligation')
    if (details.finalised === undefined)
      missing.add('finalised', 'give `true`: HMRC takes only returns that are declared final')
    const amountOf = (box: string) => figures.boxes.find((each) => each.box === box)?.amount ?? 0
    const due = amountOf('1') + box_2
    const declared: z.output<typeof HmrcVatReturn> = {
      periodKey: details.period_key ?? '',
      vatDueSales: amountOf('1') / 100,
      vatDueAcquisitions: box_2 / 100,
      totalVatDue: due / 100,
      vatReclaimedCurrPeriod: box_4 / 100,
      netVatDue: Math.abs(due - box_4) / 100,
      totalValueSalesExVAT: wholePounds(amountOf('6')),
      totalValuePurchasesExVAT: wholePounds(box_7),
      totalValueGoodsSuppliedExVAT: wholePounds(amountOf('8')),
      totalAcquisitionsExVAT: wholePounds(box_9),
      finalised: true,
    }
    return `${JSON.stringify(declared, null, 2)}\n`
  },
} as const satisfies DocumentFormat

/** The amount of a box about purchases: the one that the return keeps, or that the request gives. */
function purchasesOf(
  box: GivenBox,
  { inputs }: ReturnContent['figures'],
  details: DocumentDetails,
  missing: Missing,
): number {
  const [kept, given] = [inputs.boxes[box], details[`box_${box}`]]
  if (kept === undefined && given === undefined)
    missing.add(`box_${box}`, `give box ${box} in pence: sales alone do not determine it`)
  if (kept !== undefined && given !== undefined && kept !== given)
    missing.add(`box_${box}`, `is ${kept} in the return: leave it out`)
  return kept ?? given ?? 0
}

/** VAT Notice 700/12: leave out the pence. */
function wholePounds(pence: number): number {
  return Math.trunc(pence / 100) + 0
}
