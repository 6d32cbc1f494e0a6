import { nameInSentence } from '../book/names.ts'
import { reasonOfNoSupply, type SupplyReason } from '../book/product-types.ts'
import type { Terms, Walk } from '../found/found.ts'
import { invariant } from '../ground/invariant.ts'
import type { Place, RegimeLaw } from '../regimes/regime.ts'
import { freeTerms } from './terms.ts'

/*
 * Money on a sale that pays for no supply: a fee for late payment, damages, a donation, a voluntary tip. The
 * caller says so, because only it knows what the money is for. The answer says whose word it is, which law is
 * meant, and where the law of the place may see it as a price. Few sales have such a line, so a request that
 * does brings these functions.
 */

/** What the request says of the money, as a sentence. */
const SAID: Readonly<Record<SupplyReason, string>> = {
  late_fee: 'The request says that this is a fee for late payment, which pays for no supply',
  damages: 'The request says that this is compensation for damage, which pays for no supply',
  donation: 'The request says that this is a donation, for which the donor gets nothing',
  tip: 'The request says that this is a voluntary tip, which is not part of the price',
  other: 'The request says that this pays for no supply',
}

/** The law, null if it is not on file, and where it may be otherwise. */
type NoSupplyLaw = { basis: string | null; doubt?: string }
type LawByReason = Readonly<Partial<Record<SupplyReason, NoSupplyLaw>>>

const SERVICE_CHARGE =
  'A service charge that the customer has to pay is taxed: send product_type service_charge'
const GIFT_IN_RETURN = 'If the donor gets something in return, the payment is a price'

/** Tolsma is about money that passers-by give freely; BAZ Bausystem about interest for late payment. */
const UNION: LawByReason = {
  late_fee: { basis: 'Directive 2006/112/EC, art. 2(1) (CJEU C-222/81)' },
  damages: {
    basis: 'Directive 2006/112/EC, art. 2(1) (CJEU C-277/05)',
    doubt:
      'What a contract sets for early termination or for breach of its terms may be a price ' +
      '(CJEU C-43/19, C-90/20)',
  },
  donation: { basis: 'Directive 2006/112/EC, art. 2(1) (CJEU C-16/93)', doubt: GIFT_IN_RETURN },
  tip: { basis: 'Directive 2006/112/EC, art. 2(1) (CJEU C-16/93)', doubt: SERVICE_CHARGE },
  other: { basis: 'Directive 2006/112/EC, art. 2(1)' },
}

const BRITAIN: LawByReason = {
  late_fee: { basis: 'VATA 1994, s. 5(2)(a)' },
  damages: {
    basis: 'VATA 1994, s. 5(2)(a)',
    doubt:
      'HMRC taxes most fees for early termination as part of the price since 2022-04-01 (Revenue and ' +
      'Customs Brief 2 (2022))',
  },
  donation: { basis: 'VATA 1994, s. 5(2)(a)', doubt: GIFT_IN_RETURN },
  tip: { basis: 'VATA 1994, s. 5(2)(a)', doubt: SERVICE_CHARGE },
  other: { basis: 'VATA 1994, s. 5(2)(a)' },
}

const CANADA: LawByReason = {
  late_fee: { basis: 'ETA, s. 161' },
  damages: {
    basis: 'ETA, s. 123(1), “consideration”',
    doubt:
      'What is paid because an agreement for a taxable supply ends or is broken contains tax (ETA, s. 182)',
  },
  donation: { basis: 'ETA, s. 123(1), “consideration”', doubt: GIFT_IN_RETURN },
  tip: { basis: 'ETA, s. 123(1), “consideration”', doubt: SERVICE_CHARGE },
}

/** What a state of the United States may do otherwise. Its law on such money is not in the data. */
const STATES: LawByReason = {
  late_fee: { basis: null, doubt: 'Some states tax a late fee as part of the price' },
  damages: { basis: null, doubt: 'Some states tax a charge for damage as part of the price of a rental' },
  donation: { basis: null, doubt: GIFT_IN_RETURN },
  tip: { basis: null, doubt: SERVICE_CHARGE },
}

const LAWS: Readonly<Partial<Record<RegimeLaw['id'], LawByReason>>> = {
  EU: UNION,
  UK: BRITAIN,
  CA: CANADA,
  US: STATES,
}

/** The practice of a member state that names the cases one by one. */
const PRACTICE: Readonly<Record<string, Readonly<Partial<Record<SupplyReason, string>>>>> = {
  DE: { late_fee: 'UStG § 1(1) no. 1; UStAE 1.3 para. 6', damages: 'UStG § 1(1) no. 1; UStAE 1.3' },
}

const AS_SAID = 'As the request says'

/** The terms of a line that is no supply, at the place of the seller; without one, of the customer. */
export function termsOfNoSupply({ seller, customer }: Walk, product_type: string): Terms {
  const reason = invariant(reasonOfNoSupply(product_type), 'the line is no supply')
  const place = seller ?? customer
  const law = LAWS[place.law.id]?.[reason]
  const basis = PRACTICE[place.state]?.[reason] ?? law?.basis ?? AS_SAID
  const supply = {
    kind: 'untaxed' as const,
    reason: 'not_a_supply' as const,
    place: place.jurisdiction_id,
    basis,
    detail: SAID[reason],
  }
  return freeTerms(
    'service',
    { kind: 'service', supply, place, local: null, freed: [], limits: [], fetched: false, notes: [] },
    {
      treatments: [],
      rule: 'specific',
      reason: 'not_a_supply',
      detail: SAID[reason],
      notes: notesOn(place, law),
    },
  )
}

/** Whose word it is if the data has no law on it, and where the law may see a price. */
function notesOn({ name }: Place, law: NoSupplyLaw | undefined): readonly string[] {
  const doubts = law?.doubt === undefined ? [] : [law.doubt]
  if (law !== undefined && law.basis !== null) return doubts
  const where = nameInSentence(name)
  return [
    `The law of ${where} on this is not in the data, so it was left untaxed as the request says`,
    ...doubts,
  ]
}
