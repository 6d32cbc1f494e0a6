import type { Obligation, Registration } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps, type ViewProps } from '../address.ts'
import { ifAllowed, read } from '../api.ts'
import { formatDay } from '../format.ts'
import { jurisdictions, type Option, withNames } from '../names.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { Choice, Form, Input, Select, type Typed } from '../parts/form.tsx'
import { History } from '../parts/history.tsx'
import { Loaded, Read, useLoading } from '../parts/load.tsx'
import { AddLink, Badge, Facts, Moment, Part, useTitle } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { linkToReturn, returnOf } from '../returns/return.ts'
import { SCHEMES } from '../schemes.ts'
import { periodWords, withSpaces } from '../words.ts'
import { nameOf, readRegistrations, stateOf, validity } from './registration.ts'

/** The places and schemes in which the seller collects tax. */
export function View() {
  return (
    <Read
      read={() => withNames(Promise.all([readRegistrations(), readNextReturns()]))}
      lines={10}
      show={([registrations, due]) => (
        <Table
          caption="Registrations, the newest first"
          rows={registrations}
          href={({ id }) => linkTo('registrations', { id })}
          empty={{
            title: 'No registrations',
            text:
              'Add the places and schemes where you are registered. The service then charges their ' +
              'tax and lists their returns.',
            action: <AddLink to="registrations" name="Add a registration" />,
          }}
          columns={[
            { head: 'Place or scheme', cell: nameOf },
            { head: 'State', phone: 'figure', cell: (each) => <Badge word={stateOf(each)} /> },
            { head: 'Number', keep: true, cell: numberOf },
            { head: 'Valid', cell: validity },
            { head: 'Filing frequency', cell: (each) => frequencyOf(each, due.get(each.id)) },
            { head: 'Next return', cell: ({ id }) => <NextReturn of={due.get(id)} /> },
          ]}
        />
      )}
    />
  )
}

export const Actions = () => <AddLink to="registrations" name="Add a registration" first />

/** The next return of each registration that is due within three months. Empty if the key may not read it. */
async function readNextReturns(): Promise<Map<string, Obligation>> {
  const asked = read('/v1/obligations', { from: new Date().toISOString().slice(0, 10), limit: '100' })
  const next = new Map<string, Obligation>()
  for (const each of (await ifAllowed(asked))?.obligations ?? [])
    if (each.status !== 'filed' && !next.has(each.registration_id)) next.set(each.registration_id, each)
  return next
}

function NextReturn({ of }: { of: Obligation | undefined }) {
  if (of === undefined) return <>–</>
  const words = `${periodWords(of.period)}, due ${formatDay(of.last_date)}`
  const asked = returnOf(of)
  return asked === null ? <>{words}</> : <a href={linkToReturn(asked)}>{words}</a>
}

export function Record({ id }: RecordProps) {
  const readBoth = () => Promise.all([read('/v1/registrations/{id}', { id }), readNextReturns()])
  const show = ([of, due]: Awaited<ReturnType<typeof readBoth>>) => (
    <Inside key={of.updated_at} of={of} due={due.get(id)} />
  )
  return <Read read={() => withNames(readBoth())} of={[id]} show={show} />
}

function Inside({ of, due }: { of: Registration; due: Obligation | undefined }) {
  const path = `/v1/registrations/${of.id}`
  const name = nameOf(of)
  const title = `Delete the registration in ${name}?`
  const text =
    'Delete only a registration that was added by mistake. To end a valid registration, set its last ' +
    'day.'
  const ask = { title, text, yes: 'Delete' }
  const gone = { told: `The registration in ${name} is deleted`, leave: linkTo('registrations') }
  const remove = () => change('DELETE', path, { ask, ...gone })
  useTitle(name, <Badge word={stateOf(of)} />, [of.updated_at])
  return (
    <>
      <Facts
        of={[
          ['Next return', due ? <NextReturn of={due} /> : null],
          ['Filing frequency', frequencyOf(of, due)],
          ['Number', of.registration_number ?? 'Not given'],
          ['Valid', validity(of)],
          ['Added', <Moment at={of.created_at} />],
        ]}
      />
      {may('registrations:write') && (
        <>
          <Part title="Change">
            <ChangeRegistration of={of} path={path} />
          </Part>
          <Part title="End">
            <EndRegistration of={of} path={path} />
          </Part>
          <Part title="Added by mistake?">
            <Deeds of={[{ name: 'Delete…', act: remove, kind: 'dangerous' }]} />
          </Part>
        </>
      )}
      <History of={of.id} changes={of.updated_at} />
    </>
  )
}

const FREQUENCIES: Readonly<Record<string, string>> = {
  '': 'Default for this place',
  monthly: 'Monthly',
  two_monthly: 'Every two months',
  quarterly: 'Quarterly',
  six_monthly: 'Every six months',
  annual: 'Annually',
}

const PLACE = 'Place or scheme'

function numberOf({ id, registration_number }: Registration) {
  return registration_number ?? <a href={linkTo('registrations', { id })}>None yet</a>
}

/** The default of a place is told by its next return: `Quarterly (default)`. */
function frequencyOf({ filing_frequency }: Registration, due: Obligation | undefined): string {
  const by_default = due?.document === 'return' ? frequencyIn(due) : undefined
  if (filing_frequency !== null || by_default === undefined) return frequencyWords(filing_frequency)
  return `${frequencyWords(by_default)} (default)`
}

/** By the months from its first to its last day. */
function frequencyIn({ from_date, to_date }: Obligation): string | undefined {
  const monthOf = (date: string) => 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7))
  const lengths = { 1: 'monthly', 2: 'two_monthly', 3: 'quarterly', 6: 'six_monthly', 12: 'annual' }
  return new Map(Object.entries(lengths)).get(String(1 + monthOf(to_date) - monthOf(from_date)))
}

export function frequencyWords(frequency: string | null): string {
  return FREQUENCIES[frequency ?? ''] ?? withSpaces(frequency ?? '')
}

/** The form of a new registration. The place of the address is chosen at first. */
export function New({ query }: ViewProps) {
  useTitle('Add a registration')
  const loading = useLoading(readPlaces)
  const send = (typed: Typed, idempotency_key: string) => {
    const chosen = typed.chosen('place', PLACE, loading.value ?? [])
    const is_scheme = Object.keys(SCHEMES).includes(chosen ?? '')
    const body = {
      ...(is_scheme ? { scheme: chosen } : { jurisdiction_id: chosen }),
      valid_from: typed.text('valid_from'),
      ...typed.optionals('registration_number', 'filing_frequency'),
    }
    const told = `${loading.value?.find(({ value }) => value === chosen)?.name ?? chosen} is added`
    const leave = linkTo('registrations')
    return change('POST', '/v1/registrations', { body, idempotency_key, told, leave })
  }
  const show = (options: Option[]) => (
    <Form name="Add the registration" send={send} fieldOf={fieldOfPlace}>
      <Choice label={PLACE} name="place" options={options} chosen={query.get('place') ?? ''} required>
        Such as Germany, Texas or EU One Stop Shop
      </Choice>
      <Input label="Registration number" name="registration_number" maxlength={100}>
        Printed on files for the tax office
      </Input>
      <Input label="Valid from" name="valid_from" type="date" required>
        The first day on which you collect the tax
      </Input>
      <Select label="Filing frequency" name="filing_frequency" choices={FREQUENCIES} chosen="">
        As the tax office decided
      </Select>
    </Form>
  )
  return <Loaded of={loading} lines={8} show={show} />
}

/** One field takes both. */
function fieldOfPlace(path: string): string | null {
  return path === 'jurisdiction_id' || path === 'scheme' ? 'place' : null
}

async function readPlaces(): Promise<Option[]> {
  const schemes = Object.entries(SCHEMES).map(([value, name]) => ({ value, name, beside: 'scheme' }))
  return [...schemes, ...(await jurisdictions())]
}

export function ChangeRegistration({ of, path }: { of: Registration; path: string }) {
  const send = (typed: Typed) => {
    const body = typed.optionals('registration_number', 'filing_frequency')
    return change('PUT', path, { body, told: 'The registration is changed' })
  }
  const number = of.registration_number ?? ''
  return (
    <Form name="Save" send={send}>
      <Input label="Registration number" name="registration_number" maxlength={100} value={number} />
      <Select
        label="Filing frequency"
        name="filing_frequency"
        choices={FREQUENCIES}
        chosen={of.filing_frequency ?? ''}
      />
    </Form>
  )
}

export function EndRegistration({ of: { valid_from, valid_to }, path }: { of: Registration; path: string }) {
  const send = (typed: Typed) => {
    const last = typed.text('valid_to')
    const told = `The registration ends on ${formatDay(last)}`
    return change('PUT', path, { body: { valid_to: last }, told })
  }
  return (
    <Form name="End" send={send} first={false}>
      <Input label="Last day" name="valid_to" type="date" required min={valid_from} value={valid_to ?? ''}>
        From the next day on, no tax is collected here
      </Input>
    </Form>
  )
}
