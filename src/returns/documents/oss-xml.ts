import XMLBuilder from 'fast-xml-builder'
import { placeOfCode } from '../../platform/http/place-name.ts'
import { atStart } from '../../engine/book/names.ts'
import { MEMBER_STATES } from '../../engine/regimes/eu-member-states.ts'
import { decimalOf, type DocumentFormat, registrationNumber, vatCountry, withoutPrefix } from './format.ts'
import type { PresentedReturn } from '../filing/present-return.ts'
import { keyOfOrigin, ossSupplies, type OssSupply, percentOf } from './oss-supplies.ts'

/** Some portals look elements up by this prefix, so it is written out. */
const NAMESPACE = 'urn:ec.europa.eu:taxud:frsr:vatunion:v1.0'

/** The portal of this state wants its own VAT ids with their prefix. */
const WITH_PREFIX = 'SK'

/**
 * A return of the Union scheme in the structure of the European Commission (`OSSVATReturnMSCON`), as the
 * Slovak portal publishes its schema: supplies of the member state of identification, supplies from other
 * member states, corrections, totals and the balance of each state.
 */
export const ossXml = {
  format: 'oss_xml',
  types: ['oss_union'],
  needs_lines: true,
  mergeBy: keyOfOrigin,
  media_type: 'application/xml',
  extension: 'xml',
  layout: {
    status: 'verified',
    source:
      'European Commission, OSSVATReturnMSCON 1.0, in the schema of the Finančná správa (dposs_eu01.xsd)',
    source_url: 'https://ekr.financnasprava.sk/Formulare/XSD/dposs_eu01.xsd',
  },
  write(content, _details, missing) {
    const { figures } = content
    const home = figures.seller.country ?? ''
    const supplies = ossSupplies(content, missing)
    const own = registrationNumber(figures, 'oss_union') ?? figures.seller.vat_id
    if (own === null)
      missing.add('seller.vat_id', 'is required, or the number of the registration in the One Stop Shop')
    for (const { jurisdiction_id } of figures.corrections)
      if (!MEMBER_STATES.includes(jurisdiction_id))
        missing.add('corrections', `${atStart(placeOfCode(jurisdiction_id))} is not a member state`)
    return documentOf(figures, supplies, { country: home, number: own ?? '' })
  },
} as const satisfies DocumentFormat

type Trader = { country: string; number: string }

function documentOf(figures: PresentedReturn, supplies: readonly OssSupply[], trader: Trader): string {
  const home = supplies.filter(({ from }) => from === null)
  const elsewhere = supplies.flatMap((each) => (each.from === null ? [] : [{ ...each, from: each.from }]))
  const { corrections } = figures
  const taxOf = (of: readonly OssSupply[], kind?: OssSupply['kind']) =>
    euros(
      of
        .filter((each) => kind === undefined || each.kind === kind)
        .reduce((sum, each) => sum + each.tax_amount, 0),
    )
  const content = {
    TraderID: { VATNumber: { '@issuedBy': vatCountry(trader.country), '#text': numberOf(trader) } },
    Period: periodOf(figures.period),
    NilVatReturn: supplies.length + corrections.length === 0 ? '1' : '0',
    ...(supplies.length > 0 && {
      Supplies: {
        MSIDSupplies: home.map(detailOf),
        MSESTSupplies: elsewhere.map((each) => ({
          ...establishmentOf(figures, each.from),
          VATReturnDetails: detailOf(each),
        })),
      },
    }),
    ...(corrections.length > 0 && {
      Corrections: {
        Correction: corrections.map(({ period, jurisdiction_id, tax_amount }) => ({
          Period: periodOf(period),
          MSCONCountryCode: vatCountry(jurisdiction_id),
          TotalVATAmountCorrection: euros(tax_amount),
        })),
      },
    }),
    GrandTotalMSIDServices: taxOf(home, 'services'),
    GrandTotalMSIDGoods: taxOf(home, 'goods'),
    GrandTotalMSESTServices: taxOf(elsewhere, 'services'),
    GrandTotalMSESTGoods: taxOf(elsewhere, 'goods'),
    GrandTotal: taxOf(supplies),
    ...balancesOf(supplies, corrections),
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({
    'vun:OSSVATReturnMSCON': { '@xmlns:vun': NAMESPACE, ...prefixed(content) },
  })}`
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  format: true,
  indentBy: '  ',
  suppressEmptyNode: true,
})

type Node = { [name: string]: Node | string | readonly (Node | string)[] }

/** Puts the prefix of the namespace before the name of every element. */
function prefixed(node: Node): Node {
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name.startsWith('@') || name.startsWith('#') ? name : `vun:${name}`,
      typeof value === 'string'
        ? value
        : Array.isArray(value)
          ? value.map(prefixedItem)
          : prefixed(value as Node),
    ]),
  )
}

function prefixedItem(item: Node | string): Node | string {
  return typeof item === 'string' ? item : prefixed(item)
}

function euros(cents: number): Node {
  return { '@currency': 'EUR', '#text': decimalOf(cents) }
}

function numberOf({ country, number }: Trader): string {
  const plain = withoutPrefix(number, country)
  return country === WITH_PREFIX ? `${country}${plain}` : plain
}

function periodOf(quarter: string): Node {
  return { Year: quarter.slice(0, 4), Quarter: quarter.slice(6) }
}

function detailOf({ state, kind, rate, rate_type, taxable_amount, tax_amount }: OssSupply): Node {
  return {
    SupplyType: kind.toUpperCase(),
    MSCONCountrycode: vatCountry(state),
    VATRate: { '@type': rate_type.toUpperCase(), '#text': percentOf(rate) },
    TaxableAmount: euros(taxable_amount),
    VATAmount: euros(tax_amount),
  }
}

/** Goods may be dispatched from a state in which the seller has no VAT id: then the state is named alone. */
function establishmentOf(figures: PresentedReturn, country: string): Node {
  const number = registrationNumber(figures, country)
  const code = vatCountry(country)
  if (number === null) return { CountryCode: code }
  return {
    EUTraderID: {
      VATIdentificationNumber: { '@issuedBy': code, '#text': withoutPrefix(number, country) },
    },
  }
}

/** A negative balance is not set off against another state. */
function balancesOf(supplies: readonly OssSupply[], corrections: PresentedReturn['corrections']): Node {
  const balances = new Map<string, number>()
  const add = (state: string, amount: number) => balances.set(state, (balances.get(state) ?? 0) + amount)
  for (const { state, tax_amount } of supplies) add(state, tax_amount)
  for (const { jurisdiction_id, tax_amount } of corrections) add(jurisdiction_id, tax_amount)
  const sorted = [...balances].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const due = sorted.reduce((sum, [, balance]) => sum + Math.max(balance, 0), 0)
  return {
    ...(sorted.length > 0 && {
      Balances: {
        Balance: sorted.map(([state, balance]) => ({
          MSCONCountryCode: vatCountry(state),
          BalanceOfVATDue: euros(balance),
        })),
      },
    }),
    TotalVATAmountDue: euros(due),
  }
}
