import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import type { CalculateAnswer } from '../../client/src/schema.ts'
import { MEMBER_STATES } from '../../src/engine/regimes/eu-member-states.ts'
import { homeCountry } from '../account.ts'
import { callApi } from '../api.ts'
import { formatMoney, parseMoney } from '../format.ts'
import type { Option, Place } from '../names.ts'
import { countries, jurisdictions, learnNames, productTypes, regionsOf, withNames } from '../names.ts'
import { Choice, Form, Input, readRegion, RegionChoice, Select, Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { announce, Press } from '../parts/parts.tsx'
import { Result } from './result.tsx'

/** What the form offers to choose from. */
type Offered = { countries: Option[]; places: Place[]; products: Option[] }

const BEHAVIORS = { exclusive: 'Without tax', inclusive: 'With tax' }

/** Registrations that are of no single place. */
const UNION_SCHEMES: readonly Option[] = [
  { value: 'oss_union', name: 'One Stop Shop' },
  { value: 'oss_non_union', name: 'One Stop Shop, non-Union' },
  { value: 'ioss', name: 'Import One Stop Shop' },
]

/** What a new sale begins with: one to a consumer in France, or at home if that is not in the Union. */
function firstBuyer(): { country: string; postal_code: string } {
  const home = homeCountry()
  if (home === 'US') return { country: 'US', postal_code: '94105' }
  if (home === null || MEMBER_STATES.includes(home)) return { country: 'FR', postal_code: '75002' }
  return { country: home, postal_code: '' }
}

/** The tax of a sale that is not recorded, and why it is so. */
export function View() {
  const loading = useLoading(readOffered)
  return <Loaded of={loading} lines={10} show={(offered) => <Calculator {...offered} />} />
}

async function readOffered(): Promise<Offered> {
  // The regions are for RegionChoice: if they are read already, no field moves.
  const regions = Promise.allSettled([regionsOf(firstBuyer().country)])
  const lists = await Promise.all([countries(), jurisdictions(), productTypes(), regions])
  return { countries: lists[0], places: lists[1], products: lists[2] }
}

function Calculator(offered: Offered) {
  /** Undefined: nothing was asked, and the answer is that of what the form begins with. */
  const [asked, setAsked] = useState<CalculateAnswer | null | undefined>(undefined)
  const first = useLoading(() => calculate(firstSale(offered)))
  const send = async (typed: Typed) => {
    setAsked(null)
    const found = await calculate(await readSale(typed, offered))
    setAsked(found)
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
      <section aria-label="Result">
        {asked === undefined && <Loaded of={first} show={(answer) => <Result answer={answer} first />} />}
        {asked && <Result answer={asked} />}
      </section>
    </div>
  )
}

async function calculate(body: object): Promise<CalculateAnswer> {
  const found = await withNames(callApi<CalculateAnswer>('POST', '/v1/calculate', { body }))
  learnNames((found.local?.parts ?? []).map(({ id, name }) => [id, name]))
  return found
}

/** The sale that the form begins with, as readSale() reads it. */
function firstSale({ places }: Offered) {
  const { country, postal_code } = firstBuyer()
  const currency = currencyOf(places, country)
  const amount = parseMoney(FIRST_AMOUNT, currency, 'Amount')
  return {
    currency,
    ...sellerOf(homeCountry() ?? HOME, null),
    customer: { address: { country, postal_code: postal_code || null } },
    tax_behavior: 'exclusive',
    line_items: [{ amount, product_type: FIRST_PRODUCT }],
    explain: true,
  }
}

const HOME = 'DE'
const FIRST_AMOUNT = '19.99'
const FIRST_PRODUCT = 'saas'

function currencyOf(places: readonly Place[], country: string): string {
  return places.find(({ value }) => value === country)?.currency ?? 'EUR'
}

/** Who sells to whom. Another country has other regions and another currency, and empties the rest. */
function Parties({ countries: offered, places }: Offered) {
  const [buyer] = useState(firstBuyer)
  const [country, setCountry] = useState<string>(buyer.country)
  const change = (value: string | null) => value !== null && setCountry(value)
  return (
    <>
      <div class="fields">
        <Choice label="From" name="seller" options={offered} chosen={homeCountry() ?? HOME}>
          Where the seller is. Leave empty to use the place of the account
        </Choice>
        <Choice label="Registered in" name="registered" options={[...UNION_SCHEMES, ...places]}>
          Only if it differs from the account
        </Choice>
        <Choice label="To" name="country" options={offered} chosen={buyer.country} required changed={change}>
          The country of the customer
        </Choice>
        <Select label="Prices" name="tax_behavior" choices={BEHAVIORS} chosen="exclusive" />
      </div>
      <Destination
        key={country}
        country={country}
        postal_code={country === buyer.country ? buyer.postal_code : ''}
        places={places}
      />
    </>
  )
}

type DestinationProps = { country: string; postal_code: string; places: readonly Place[] }

function Destination({ country, postal_code, places }: DestinationProps) {
  const currency = currencyOf(places, country)
  return (
    <div class="fields">
      <RegionChoice country={country}>Leave empty to find it by postal code</RegionChoice>
      <Input label="Postal code" name="postal_code" value={postal_code} />
      <Input label="Currency" name="currency" value={currency} required>
        Three letters
      </Input>
      <Input label="VAT id of the customer" name="vat_id">
        For a business
      </Input>
    </div>
  )
}

/** The request. Throws a Failure that names the faulty field. */
async function readSale(typed: Typed, { countries: offered, places, products }: Offered) {
  const seller = typed.chosen('seller', 'From', offered)
  const registered = typed.chosen('registered', 'Registered in', [...UNION_SCHEMES, ...places])
  const country = typed.chosen('country', 'To', offered)
  const currency = typed.text('currency').toUpperCase()
  return {
    currency,
    ...sellerOf(seller, registered),
    customer: {
      address: { country, region: await readRegion(typed, country), ...typed.optionals('postal_code') },
      ...typed.optionals('vat_id'),
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

/** The lines of a sale, each with its amount and product type. Read them with readLines(). */
export function LinesOfSale({ products }: { products: readonly Option[] }) {
  const [lines, setLines] = useState<readonly number[]>([0])
  const box = useRef<HTMLFieldSetElement>(null)
  const before = useRef(lines.length)
  useLayoutEffect(() => {
    const added = lines.length > (before.current ?? 0)
    const target = added ? '[role="group"]:last-of-type input' : ':scope > div > button'
    if (lines.length !== before.current) box.current?.querySelector<HTMLElement>(target)?.focus()
    before.current = lines.length
  }, [lines])
  const remove = (id: number) => setLines(lines.filter((each) => each !== id))
  const add = () => setLines([...lines, Math.max(...lines) + 1])
  return (
    <fieldset class="stack" ref={box}>
      <legend>Lines</legend>
      {lines.map((id, index) => (
        <Line key={id} number={index + 1} {...{ id, products, remove }} />
      ))}
      <div>
        <Press name="Add a line" act={add} />
      </div>
    </fieldset>
  )
}

type LineProps = { id: number; number: number; products: readonly Option[]; remove: (id: number) => void }

function Line({ id, number, products, remove }: LineProps) {
  const [product, setProduct] = useState<string | null>(FIRST_PRODUCT)
  const of_product = { chosen: FIRST_PRODUCT, changed: setProduct }
  const about = products.find(({ value }) => value === product)?.beside
  return (
    <div class="fields" role="group" aria-label={`Line ${number}`}>
      <input type="hidden" name="line" value={id} />
      <Input
        label="Amount"
        name={`amount ${id}`}
        inputmode="decimal"
        required
        value={id === 0 ? FIRST_AMOUNT : ''}
      >
        Such as 19.99 or 19,99
      </Input>
      <Choice label="Product type" name={`product ${id}`} options={products} required {...of_product}>
        {about}
      </Choice>
      {number > 1 && (
        <div>
          <Press name="Remove" label={`Remove line ${number}`} act={() => remove(id)} />
        </div>
      )}
    </div>
  )
}

/** The lines as the API takes them, in minor units. Throws a Failure that names the faulty field. */
export function readLines(typed: Typed, products: readonly Option[], currency: string) {
  return typed.all('line').map((id) => ({
    amount: parseMoney(typed.text(`amount ${id}`), currency, `amount ${id}`),
    product_type: typed.chosen(`product ${id}`, `product ${id}`, products),
  }))
}
