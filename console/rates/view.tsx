import { homeCountry } from '../account.ts'
import { linkTo } from '../address.ts'
import { jurisdictions, placeNames } from '../names.ts'
import { Choice } from '../parts/choice.tsx'
import { Form, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import type { ViewProps } from '../view-module.ts'
import { Freshness } from './freshness.tsx'
import { PlaceRates } from './place-rates.tsx'

export { Record } from './freshness.tsx'

/** The rates of the place of the address, or of the seller's country, and how fresh each region is. */
export function View({ query }: ViewProps) {
  const place = query.get('place') ?? homeCountry()
  const lists = useLoading(() => Promise.all([jurisdictions(), placeNames()]))
  return (
    <div class="stack">
      <Loaded
        of={lists}
        show={([options, names]) => {
          const show = async (typed: Typed) => {
            const chosen = typed.chosen('place', 'Country, state or province', options) ?? ''
            location.hash = linkTo('rates', { query: new URLSearchParams({ place: chosen }) })
          }
          return (
            <>
              <section class="card inline" aria-label="Rates of a place">
                <Form name="Show its rates" send={show}>
                  <Choice
                    label="Country, state or province"
                    name="place"
                    options={options}
                    chosen={place ?? ''}
                    required
                  />
                </Form>
              </section>
              {place !== null && <PlaceRates id={place} names={names} />}
            </>
          )
        }}
      />
      <h2>Freshness by region</h2>
      <Freshness query={query} />
    </div>
  )
}
