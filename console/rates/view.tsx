import { homeCountry } from '../account.ts'
import { linkTo, type ViewProps } from '../address.ts'
import { jurisdictions, withNames } from '../names.ts'
import { Choice, Form, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Freshness } from './freshness.tsx'
import { PlaceRates } from './place-rates.tsx'

export { Record } from './freshness.tsx'

const PLACE = 'Country, state or province'

/** The rates of the place of the address, or of the seller's country, and how fresh each region is. */
export function View({ query }: ViewProps) {
  const place = query.get('place') ?? homeCountry()
  const lists = useLoading(() => withNames(jurisdictions()))
  const show = async (typed: Typed) => {
    const chosen = typed.chosen('place', PLACE, lists.value ?? []) ?? ''
    location.hash = linkTo('rates', { query: new URLSearchParams({ place: chosen }) })
  }
  return (
    <div class="stack">
      <Loaded
        of={lists}
        show={(options) => (
          <>
            <section class="card inline" aria-label="Rates of a place">
              <Form name="Show its rates" send={show}>
                <Choice label={PLACE} name="place" options={options} chosen={place ?? ''} required />
              </Form>
            </section>
            {place !== null && <PlaceRates id={place} />}
          </>
        )}
      />
      <h2>Freshness by region</h2>
      <Freshness query={query} />
    </div>
  )
}
