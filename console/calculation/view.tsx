import { useState } from 'hono/jsx/dom'
import type { z } from 'zod'
import type { CalculateAnswer } from '../../src/calculation/answers.ts'
import { homeCountry } from '../account.ts'
import { callApi } from '../api.ts'
import { formatMoney } from '../format.ts'
import { countries, jurisdictions, type Option, type Place } from '../names.ts'
import { placeNames, productTypes, regionsOf } from '../names.ts'
import { announce } from '../parts/announce.ts'
import { Choice, readRegion, RegionChoice } from '../parts/choice.tsx'
import { Form, Input, Select, Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { LinesOfSale, readLines } from './lines.tsx'
import { Result } from './result.tsx'

/** What the form offers to choose from. */
type Offered = { countries: Option[]; places: Place[]; products: Option[] }

const BEHAVIORS = [
  ['exclusive', 'Without tax'],
  ['inclusive', 'With tax'],
] as const

/** Registrations that are of no single place. */
const SCHEMES: readonly Option[] = [
  { value: 'oss_union', name: 'One Stop Shop' },
  { value: 'oss_non_union', name: 'One Stop Shop, non-Union' },
  { value: 'ioss', name: 'Import One Stop Shop' },
]

/** What a new sale begins with: one to a consumer in France. */
const BUYER = { country: 'FR', postal_code: '75002' }

/** The tax of a sale that is not recorded, and why it is so. */
export function View() {
  const loading = useLoading(readOffered)
  return <Loaded of={loading} lines={10} show={(offered) => <Calculator {...offered} />} />
}

async function readOffered(): Promise<Offered> {
  // The regions are for RegionChoice: if they are read already, no field moves.
  const regions = Promise.allSettled([regionsOf(BUYER.country)])
  const lists = await Promise.all([countries(), jurisdictions(), productTypes(), regions])
  return { countries: lists[0], places: lists[1], products: lists[2] }
}

function Calculator(offered: Offered) {
  const [answer, setAnswer] = useState<z.output<typeof CalculateAnswer> | null>(null)
  const send = async (typed: Typed) => {
    setAnswer(null)
    const found = await callApi<z.output<typeof CalculateAnswer>>('POST', '/v1/calculate', {
      body: await readSale(typed, offered),
    })
    setAnswer(found)
    const [tax, total] = [found.tax_amount, found.total].map((each) => formatMoney(each, found.currency))
    announce(`Tax ${tax}, total ${total}`)
  }
  return (
    <div class="halves">
      <div class="card">
        <Form name="Calculate" send={send} fieldOf={fieldOfSale}>
          <Parties {...offered} />
          <LinesOfSale products={offered.products} />
        </Form>
      </div>
      <section aria-label="Result">{answer !== null && <Answered answer={answer} {...offered} />}</section>
    </div>
  )
}

function Answered({ answer, products }: Offered & { answer: z.output<typeof CalculateAnswer> }) {
  const names = useLoading(placeNames)
  const named = new Map(products.map(({ value, name }) => [value, name]))
  return <Loaded of={names} show={(places) => <Result answer={answer} places={places} products={named} />} />
}

/** Who sells to whom. Another country has other regions and another currency, and empties the rest. */
function Parties({ countries: offered, places }: Offered) {
  const [country, setCountry] = useState<string>(BUYER.country)
  return (
    <>
      <div class="fields">
        <Choice
          label="From"
          hint="Where the seller is. Empty: as the account says"
          name="seller"
          options={offered}
          chosen={homeCountry() ?? 'DE'}
        />
        <Choice
          label="Registered in"
          hint="Only if it differs from the account"
          name="registered"
          options={[...SCHEMES, ...places]}
        />
        <Choice
          label="To"
          hint="The country of the customer"
          name="country"
          options={offered}
          chosen={BUYER.country}
          required
          changed={(value) => value !== null && setCountry(value)}
        />
        <Select label="Prices" name="tax_behavior" choices={BEHAVIORS} chosen="exclusive" />
      </div>
      <Destination key={country} country={country} places={places} />
    </>
  )
}

function Destination({ country, places }: { country: string; places: readonly Place[] }) {
  const { currency = 'EUR' } = places.find(({ value }) => value === country) ?? {}
  const postal_code = country === BUYER.country ? BUYER.postal_code : ''
  return (
    <div class="fields">
      <RegionChoice country={country} hint="Empty: from the postal code" />
      <Input label="Postal code" name="postal_code" value={postal_code} />
      <Input label="Currency" hint="Three letters" name="currency" value={currency} required />
      <Input label="VAT id of the customer" hint="For a business" name="vat_id" />
    </div>
  )
}

/** The request. Throws a Failure that names the faulty field. */
async function readSale(typed: Typed, { countries: offered, places, products }: Offered) {
  const seller = typed.chosen('seller', 'From', offered)
  const registered = typed.chosen('registered', 'Registered in', [...SCHEMES, ...places])
  const country = typed.chosen('country', 'To', offered)
  const currency = typed.text('currency').toUpperCase()
  return {
    currency,
    ...sellerOf(seller, registered),
    customer: {
      address: {
        country,
        region: await readRegion(typed, country),
        postal_code: typed.optional('postal_code'),
      },
      vat_id: typed.optional('vat_id'),
    },
    tax_behavior: typed.text('tax_behavior'),
    line_items: readLines(typed, products, currency),
    explain: true,
  }
}

/** The control of a field of the request that has another name. */
function fieldOfSale(path: string, form: HTMLFormElement): string | null {
  if (path.startsWith('seller.country')) return 'seller'
  if (path.startsWith('seller.registrations')) return 'registered'
  const [, index, field] = /^line_items\[(\d+)\]\.(amount|product)/.exec(path) ?? []
  const id = index === undefined ? undefined : new Typed(form).all('line')[Number(index)]
  return id === undefined ? null : `${field} ${id}`
}

/** The seller of the request. Without a difference from the account, its registrations count. */
function sellerOf(country: string | null, registered: string | null) {
  if (country === null || (country === homeCountry() && registered === null)) return {}
  return { seller: { country, registrations: registered === null ? [] : [registered] } }
}
