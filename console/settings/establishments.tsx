import { useState } from 'hono/jsx/dom'
import type { AccountAnswer, Establishment } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { read } from '../api.ts'
import { formatDay } from '../format.ts'
import { jurisdictions, type Option, placeName, withNames } from '../names.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Choice, Form, Input, Select, type Typed } from '../parts/form.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Section } from '../parts/parts.tsx'
import { sentence } from '../words.ts'

/** Where the seller is beside its own place: fixed establishments, and presence in states of the US. */
export function EstablishmentsCard() {
  const loading = useLoading(() => withNames(Promise.all([read('/v1/account'), readPlaces()])))
  const show = ([{ establishments }, places]: [AccountAnswer, Option[]]) => (
    <Establishments all={establishments} places={places} again={loading.again} />
  )
  return (
    <Section title="Offices, staff and stock" card>
      <Loaded of={loading} lines={6} show={show} />
    </Section>
  )
}

/** Member states, and states of the US. */
async function readPlaces(): Promise<Option[]> {
  const all = await jurisdictions()
  return all.filter(
    ({ value, region }) => value.startsWith('US-') || (region === 'EU' && /^[A-Z]{2}$/.test(value)),
  )
}

type Listed = { all: readonly Establishment[]; places: readonly Option[]; again: () => Promise<void> }

function Establishments({ all, places, again }: Listed) {
  const save = async (changed: readonly Establishment[], told: string) => {
    await change('PUT', '/v1/account', { body: { establishments: changed }, told })
    await again()
  }
  const open = all.filter(({ to }) => to === null)
  const changes = may('registrations:write')
  return (
    <>
      <p class="quiet">
        With any of these in a US state, you must register from the first sale, whatever the threshold. In the
        EU, enter only fixed establishments. Stock there needs a registration instead.
      </p>
      {all.length > 0 && (
        <ul class="usage">
          {all.map((each) => (
            <li>
              <span>{wordsOf(each)}</span>
              <span class="quiet">{daysOf(each)}</span>
              {changes && (
                <Deeds
                  of={[{ name: 'Remove…', label: `Remove ${wordsOf(each)}`, act: () => remove(each) }]}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {changes && <Add key={`add ${all.length}`} all={all} places={places} save={save} />}
      {changes && open.length > 0 && <End key={`end ${open.length}`} all={all} open={open} save={save} />}
    </>
  )

  async function remove(gone: Establishment) {
    const text = 'Remove only what was added by mistake. To end what was there, set its last day.'
    const ask = { title: `Remove ${wordsOf(gone)}?`, text, yes: 'Remove' }
    const rest = all.filter((each) => each !== gone)
    await change('PUT', '/v1/account', { ask, body: { establishments: rest }, told: 'Removed' })
    await again()
  }
}

type Saving = {
  all: readonly Establishment[]
  save: (changed: readonly Establishment[], told: string) => Promise<void>
}

const KINDS = { stock: 'Stock', staff: 'Staff', office: 'Office or shop' }

function Add({ all, places, save }: Saving & { places: readonly Option[] }) {
  const [place, setPlace] = useState<string | null>(null)
  const send = (typed: Typed) => {
    const chosen = typed.chosen('country', 'Place', places) ?? ''
    const [country = '', region = null] = chosen.split('-')
    const added = {
      country,
      region,
      kind: region === null ? null : (typed.text('kind') as Establishment['kind']),
      from: typed.text('from'),
      to: typed.optional('to'),
    }
    return save([...all, added], `${wordsOf(added)} is added`)
  }
  return (
    <Form name="Add" send={send} fieldOf={(path) => path.split('.').at(-1) ?? null} first={false}>
      <div class="fields">
        <Choice label="Place" name="country" options={places} changed={setPlace} required>
          Such as Washington or Poland
        </Choice>
        {place?.startsWith('US-') && (
          <Select label="What is there" name="kind" choices={KINDS} chosen="stock">
            In some states, stock that a marketplace holds is not nexus
          </Select>
        )}
        <Input label="First day" name="from" type="date" required />
        <Input label="Last day" name="to" type="date">
          Leave empty if it has no end
        </Input>
      </div>
    </Form>
  )
}

function End({ all, open, save }: Saving & { open: readonly Establishment[] }) {
  const choices = Object.fromEntries(
    open.map((each) => [all.indexOf(each), `${wordsOf(each)}, ${daysOf(each)}`]),
  )
  const send = (typed: Typed) => {
    const ended = Number(typed.text('ended'))
    const to = typed.text('last_day')
    const changed = all.map((each, index) => (index === ended ? { ...each, to } : each))
    return save(changed, `It ends on ${formatDay(to)}`)
  }
  return (
    <Form name="End" send={send} first={false} fieldOf={() => 'last_day'}>
      <div class="fields">
        <Select label="What ends" name="ended" choices={choices} chosen="" />
        <Input label="On its last day" name="last_day" type="date" required />
      </div>
    </Form>
  )
}

/** `Stock in Washington`. */
function wordsOf({ country, region, kind }: Establishment): string {
  const place = placeName(region === null ? country : `${country}-${region}`)
  return kind === null ? `Establishment in ${place}` : `${sentence(kind)} in ${place}`
}

function daysOf({ from, to }: Establishment): string {
  return to === null ? `since ${formatDay(from)}` : `${formatDay(from)} to ${formatDay(to)}`
}
