import type { RatesAnswer } from '../../client/src/schema.ts'
import { linkTo, type ViewProps } from '../address.ts'
import { Failure, read } from '../api.ts'
import { formatDay, formatRate } from '../format.ts'
import { Form, Input, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { announce, Facts } from '../parts/parts.tsx'
import { PlainTable } from '../parts/table.tsx'
import { inWords, sentence } from '../words.ts'

type PlaceAsked = { postal_code: string; city: string | null }

/** The taxes of an address in the United States, which is kept in the address of the view. */
export function View({ query }: ViewProps) {
  const [postal_code, city] = [query.get('postal_code'), query.get('city')]
  const zip = { inputmode: 'numeric', value: postal_code ?? '' }
  const ask = async (typed: Typed) => {
    location.hash = linkToPlace({ postal_code: typed.text('postal_code'), city: typed.optional('city') })
  }
  return (
    <div class="halves">
      <div class="card stack">
        <p class="quiet">Sales tax on goods at a US address, as a remote seller charges it.</p>
        <Form name="Show" send={ask}>
          <div class="fields">
            <Input label="ZIP" name="postal_code" required maxlength={10} {...zip}>
              Such as 94105-1234. The last four digits make the answer exact
            </Input>
            <Input label="City" name="city" maxlength={100} value={city ?? ''}>
              If the ZIP has several rates
            </Input>
          </div>
        </Form>
      </div>
      <section aria-label="Result">
        {postal_code === null ? <Examples /> : <Result postal_code={postal_code} city={city} />}
      </section>
    </div>
  )
}

const EXAMPLES = [
  ['94105', 'San Francisco'],
  ['84101', 'Salt Lake City'],
  ['30318', 'Atlanta'],
] as const

/** Where the taxes will be, with places to try. */
function Examples() {
  return (
    <div class="card stack">
      <h2>Taxes of a ZIP</h2>
      <p class="quiet">The taxes of the state, county, city and district appear here. Try one:</p>
      <nav class="choices" aria-label="Examples">
        {EXAMPLES.map(([postal_code, city]) => (
          <a href={linkToPlace({ postal_code, city: null })}>{`${postal_code} ${city}`}</a>
        ))}
      </nav>
    </div>
  )
}

function linkToPlace({ postal_code, city }: PlaceAsked): string {
  return linkTo('local-taxes', { query: new URLSearchParams({ postal_code, ...(city && { city }) }) })
}

function Result(asked: PlaceAsked) {
  const readRates = async () => {
    // Of goods: a state can also have a tax of certain products alone, which has no rate for all.
    const query = { country: 'US', product_type: 'physical_goods', ...asked }
    const answer = await read('/v1/rates', query).catch(nameZip)
    if (answer.combined_rate !== null) announce(overall(answer))
    return answer
  }
  return <Loaded of={useLoading(readRates)} show={(answer) => <Taxes {...asked} answer={answer} />} />
}

/** The service names the fields of its request, and this form has one of them. */
function nameZip(thrown: unknown): never {
  if (!(thrown instanceof Failure) || !NO_ZIP.includes(thrown.reason)) throw thrown
  throw new Failure(thrown.status, { reason: thrown.reason, message: NOT_A_ZIP })
}

const NOT_A_ZIP = 'This is not a ZIP in a US state. Check its digits.'

const NO_ZIP = ['region_required', 'invalid_postal_code']

/** The lowest and the highest tax that the address may have, with that of the state. */
function rangeOf({ combined_rate, local, cities = [] }: RatesAnswer): [number, number] | null {
  if (combined_rate === null || local === null || local.method === 'city_named') return null
  const rates = [local.rate_min, local.rate_max, ...cities.map(({ rate }) => rate)]
  const [lowest, highest] = [Math.min(...rates), Math.max(...rates)]
  const state = combined_rate - local.rate
  return lowest === highest ? null : [state + lowest, state + highest]
}

function overall(answer: RatesAnswer): string {
  const range = rangeOf(answer)
  if (range !== null) return `${formatRate(range[0])} to ${formatRate(range[1])} in total`
  return answer.combined_rate === null ? 'Unknown' : `${formatRate(answer.combined_rate)} in total`
}

function Taxes({ answer, postal_code }: PlaceAsked & { answer: RatesAnswer }) {
  const { jurisdiction, local, rates } = answer
  const state = rates.filter(({ category }) => category === 'standard')
  const candidates = local?.candidates ?? []
  return (
    <div class="card stack">
      <h2>
        {jurisdiction?.name ?? 'Result'}
        {jurisdiction !== null && <span class="quiet small"> ({jurisdiction.id})</span>}
      </h2>
      <p class="overall">{overall(answer)}</p>
      <Decides answer={answer} postal_code={postal_code} />
      {local === null && <p>This place has no local taxes, or they are not in our data.</p>}
      {local !== null && (
        <Facts
          of={[
            ['Local', formatRate(local.rate)],
            ['Precise to', PRECISION_WORDS[local.precision] ?? inWords(local.precision)],
            ['Method', METHOD_WORDS[local.method] ?? inWords(local.method)],
          ]}
        />
      )}
      {local?.note && <p>{local.note}</p>}
      <PlainTable
        caption="Taxes"
        heads={['Place', 'Kind', '#Rate', 'Source']}
        rows={[
          ...state.map((each) => rowOf(jurisdiction?.name ?? each.name, 'state', each.rate, each.source)),
          ...(local?.parts ?? []).map(({ name, type, rate, source, as_of }) =>
            rowOf(name, type, rate, `${source}, ${formatDay(as_of)}`),
          ),
        ]}
      />
      {candidates.length > 0 && (
        <PlainTable
          caption="Local taxes by part of the ZIP"
          heads={['Places', '#Rate', '#Share of the area']}
          rows={candidates.map(({ names, rate, share }) => [
            names.join(', ') || 'none',
            formatRate(rate),
            share === null ? null : formatRate(share),
          ])}
        />
      )}
    </div>
  )
}

/** A newer service may have further words. */
const PRECISION_WORDS: Readonly<Record<string, string>> = {
  zip4: 'ZIP+4',
  zip5: 'ZIP',
  zip5_city: 'ZIP and city',
  none: 'Unknown',
}

const METHOD_WORDS: Readonly<Record<string, string>> = {
  main_city: 'The postal city of the ZIP',
  zip4_record: 'The record of the ZIP+4',
  only_rate_in_zip: 'The only rate in the ZIP',
  county_of_zip: 'The county of the ZIP',
  lowest_in_zip: 'The lowest rate in the ZIP',
  largest_area: 'The place that covers most of the ZIP',
  highest_in_zip: 'The highest rate in the ZIP',
  city_named: 'The city that was given',
  remote_seller_rate: 'The single rate for remote sellers',
}

function rowOf(name: string, type: string, rate: number, source: string) {
  return [name, <span class="keep">{sentence(type)}</span>, formatRate(rate), source]
}

/** What decides between several rates, with a link for each city to choose. */
function Decides({ answer, postal_code }: { answer: RatesAnswer; postal_code: string }) {
  const { combined_rate, local, cities = [] } = answer
  if (rangeOf(answer) === null || combined_rate === null || local === null) return null
  const rate = formatRate(combined_rate)
  const by_city = cities.length > 0 || local.precision === 'county'
  return (
    <>
      <p>
        {by_city
          ? `It depends on the city. Without the city, ${rate} applies.`
          : `It depends on the part of the ZIP. Without the last four digits, ${rate} applies.`}
      </p>
      {cities.length > 0 && (
        <nav class="choices" aria-label="Cities of this ZIP">
          {cities.map(({ name, rate }) => (
            <a href={linkToPlace({ postal_code, city: name })}>
              {`${name} ${formatRate(combined_rate - local.rate + rate)}`}
            </a>
          ))}
        </nav>
      )}
    </>
  )
}
