import type { z } from 'zod'
import type { ObligationsAnswer } from '../../src/obligations/schemas.ts'
import { linkTo } from '../address.ts'
import { callApi, ifAllowed } from '../api.ts'
import { formatDay } from '../format.ts'
import { type Names, placeNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { change, Deeds, Read } from '../parts/changes.tsx'
import { History } from '../parts/history.tsx'
import { AddLink, Facts, Part } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import type { Obligation } from '../returns/calendar.ts'
import { periodWords } from '../returns/period-words.ts'
import { linkToReturn, returnOf } from '../returns/return-address.ts'
import { may } from '../scopes.ts'
import type { RecordProps } from '../view-module.ts'
import { ChangeRegistration, EndRegistration, frequencyWords, NewRegistration } from './forms.tsx'
import { nameOf, readRegistrations, type Registration, stateOf, validity } from './registration.ts'

/** The places and schemes in which the seller collects tax. */
export function View() {
  return (
    <Read
      read={() => Promise.all([readRegistrations(), placeNames(), readNextReturns()])}
      lines={10}
      show={([registrations, names, due]) => (
        <Table
          caption="Registrations, the newest first"
          rows={registrations}
          href={({ id }) => linkTo('registrations', { id })}
          empty={{
            title: 'No registrations',
            text:
              'Add the places and schemes where you are registered: the service then collects ' +
              'their tax and lists their returns.',
            action: <AddLink to="registrations" name="Add a registration" />,
          }}
          columns={[
            { head: 'Place or scheme', cell: (each) => nameOf(each, names) },
            { head: 'State', phone: 'figure', cell: (each) => <Badge word={stateOf(each)} /> },
            { head: 'Number', keep: true, cell: ({ registration_number }) => registration_number },
            { head: 'Valid', cell: validity },
            { head: 'Files', cell: ({ filing_frequency }) => frequencyWords(filing_frequency) },
            { head: 'Next return', cell: ({ id }) => <NextReturn of={due.get(id)} /> },
          ]}
        />
      )}
    />
  )
}

export function Actions() {
  return <AddLink to="registrations" name="Add a registration" first />
}

/** One registration, or the form of a new one. */
export function Record({ id, query }: RecordProps) {
  return (
    <div class="drawer-body">
      {id === 'new' ? <NewRegistration place={query.get('place') ?? ''} /> : <OneRegistration id={id} />}
    </div>
  )
}

/** The next return of each registration that is due within three months. Empty if the key may not read it. */
async function readNextReturns(): Promise<Map<string, Obligation>> {
  const asked = callApi<z.output<typeof ObligationsAnswer>>('GET', '/v1/obligations', {
    query: { limit: '100' },
  })
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

function OneRegistration({ id }: { id: string }) {
  const path = `/v1/registrations/${encodeURIComponent(id)}`
  const read = () => Promise.all([callApi<Registration>('GET', path), placeNames()])
  const show = ([of, names]: [Registration, Names]) => (
    <Inside key={of.updated_at} of={of} names={names} path={path} />
  )
  return <Read read={read} of={[path]} show={show} />
}

function Inside({ of, names, path }: { of: Registration; names: Names; path: string }) {
  const name = nameOf(of, names)
  useTitle(name, <Badge word={stateOf(of)} />, [of.updated_at])
  return (
    <>
      <Facts
        of={[
          ['Number', of.registration_number ?? 'Not on file'],
          ['Valid', validity(of)],
          ['Files', frequencyWords(of.filing_frequency)],
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
          <Delete name={name} path={path} />
        </>
      )}
      <History of={of.id} changes={of.updated_at} />
    </>
  )
}

function Delete({ name, path }: { name: string; path: string }) {
  const title = `Delete the registration in ${name}?`
  const text =
    'Delete only what was added by mistake. A registration that was valid is ended with its last day.'
  const remove = () =>
    change('DELETE', path, {
      ask: { title, text, yes: 'Delete' },
      told: `The registration in ${name} is deleted`,
      leave: linkTo('registrations'),
    })
  return (
    <Part title="Added by mistake?">
      <Deeds of={[{ name: 'Delete…', act: remove, kind: 'dangerous' }]} />
    </Part>
  )
}
