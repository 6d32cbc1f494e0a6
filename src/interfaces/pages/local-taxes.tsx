import type { Answer } from '../../platform/http/answers.ts'
import type { LocalBlock } from '../../sales/calculation/answers.ts'
import type { Jurisdiction } from '../../engine/book/facts.ts'
import type { CityRate } from '../../sales/calculation/city-rates.ts'
import { dayInWords, percentOf } from './words.ts'
import { ScrollTable } from './layout.tsx'

type Local = Answer<typeof LocalBlock>

/** What a reader asked about a ZIP, and what was found. */
export type ZipView =
  | { kind: 'not_asked' }
  | { kind: 'refused'; asked: string; why: string }
  | { kind: 'elsewhere'; asked: string; state: Jurisdiction }
  | {
      kind: 'found'
      asked: string
      city: string
      state_rate: number | null
      local: Local
      /** If the city decides and none was given: the cities of the county with a tax, by name. */
      cities: readonly CityRate[]
    }

/** A form for a ZIP, and its local taxes. It works without JavaScript: the answer is the page itself. */
export function LocalTaxes({ state, zip }: { state: Jurisdiction; zip: ZipView }) {
  return (
    <section aria-labelledby="local">
      <h2 id="local">Local taxes of an address</h2>
      <form method="get" action={`/jurisdictions/${encodeURIComponent(state.id)}#local`}>
        <p class="filter">
          <span>
            <label for="postal_code">ZIP, better with four more digits</label>{' '}
            <input
              id="postal_code"
              name="postal_code"
              value={zip.kind === 'not_asked' ? '' : zip.asked}
              required
              maxlength={10}
              size={12}
              inputmode="numeric"
              autocomplete="postal-code"
            />
          </span>
          <span>
            <label for="city">City</label>{' '}
            <input
              id="city"
              name="city"
              value={zip.kind === 'found' ? zip.city : ''}
              maxlength={100}
              size={20}
            />
          </span>
          <button type="submit">Show</button>
        </p>
      </form>
      <Found state={state} zip={zip} />
    </section>
  )
}

function Found({ state, zip }: { state: Jurisdiction; zip: ZipView }) {
  switch (zip.kind) {
    case 'not_asked':
      return <></>
    case 'refused':
      return <p>{zip.why}</p>
    case 'elsewhere':
      return (
        <p>
          {zip.asked} is in <a href={pageOf(zip.state, zip.asked)}>{zip.state.name}</a>.
        </p>
      )
    case 'found':
      return <Stack state={state} {...zip} />
  }
}

function pageOf({ id }: Jurisdiction, postal_code: string): string {
  return `/jurisdictions/${encodeURIComponent(id)}?${new URLSearchParams({ postal_code }).toString()}#local`
}

function Stack({
  state,
  asked,
  state_rate,
  local,
  cities,
}: Omit<Extract<ZipView, { kind: 'found' }>, 'kind' | 'city'> & { state: Jurisdiction }) {
  const { parts, note, candidates } = local
  const rates = [local.rate_min, local.rate_max, ...cities.map(({ rate }) => rate)]
  const base = state_rate ?? 0
  const [lowest, highest] = [Math.min(...rates), Math.max(...rates)]
  return (
    <>
      {lowest === highest ? (
        <p>
          {state_rate === null ? '' : `${percentOf(state_rate + local.rate)} in all for goods in general, `}
          {`${percentOf(local.rate)} of it local. ${CERTAINTY[local.precision]}`}
        </p>
      ) : (
        <p>
          <strong>{`${percentOf(base + lowest)} to ${percentOf(base + highest)}`}</strong>
          {cities.length > 0
            ? ' in all for goods in general: it depends on the city. In which city is the address?'
            : ' in all for goods in general: it depends on the part of the ZIP. The rate used:'}
        </p>
      )}
      <Cities state={state} asked={asked} cities={cities} />
      {note !== null && <p>{note}.</p>}
      <ScrollTable label={`Taxes of ${asked}`} kind="rows" heads={['Place', 'Kind', 'Rate', 'Source']}>
        {state_rate !== null && (
          <tr>
            <th scope="row">{state.name}</th>
            <td>State</td>
            <td class="number figure">{percentOf(state_rate)}</td>
            <td>above</td>
          </tr>
        )}
        {parts.map((part) => (
          <tr>
            <th scope="row">{part.name}</th>
            <td class="capital">{part.type}</td>
            <td class="number figure">{percentOf(part.rate)}</td>
            <td>{`${part.source}, ${dayInWords(part.as_of)}`}</td>
          </tr>
        ))}
      </ScrollTable>
      {candidates.length > 0 && (
        <>
          <p>In other parts of the ZIP, local taxes are:</p>
          <ul>
            {candidates.map(({ rate, names }) => (
              <li>{`${percentOf(rate)}: ${names.length === 0 ? 'no local tax' : names.join(', ')}`}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** A button for each city: it sends the form again with the city. */
function Cities({
  state,
  asked,
  cities,
}: {
  state: Jurisdiction
  asked: string
  cities: readonly CityRate[]
}) {
  if (cities.length === 0) return <></>
  return (
    <form class="choices" method="get" action={`/jurisdictions/${encodeURIComponent(state.id)}#local`}>
      <input type="hidden" name="postal_code" value={asked} />
      {cities.map(({ name, rate }) => (
        <button type="submit" name="city" value={name}>
          {name} <span class="quiet">+{percentOf(rate)}</span>
        </button>
      ))}
    </form>
  )
}

const CERTAINTY: Readonly<Record<Local['precision'], string>> = {
  zip4: 'The file of the state names this ZIP+4.',
  zip5: 'The ZIP decides.',
  zip5_city: 'The ZIP and the city decide.',
  county: 'The county decides; cities may add a tax.',
  city: 'The city decides, because the ZIP is not in the data.',
  state: 'The whole state has one rate.',
  none: 'The local taxes of this address are not in the data.',
}
