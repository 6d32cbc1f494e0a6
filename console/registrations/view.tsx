import type { z } from 'zod'
import type { ObligationsAnswer } from '../../src/obligations/schemas.ts'
import { linkTo } from '../address.ts'
import { callApi, ifAllowed } from '../api.ts'
import { formatDay } from '../format.ts'
import { type Names, placeNames } from '../names.ts'
import { Badge } from '../parts/badge.tsx'
import { confirmed } from '../parts/dialog.tsx'
import { History } from '../parts/history.tsx'
import { Loaded, useLoading } from '../parts/load.tsx'
import { Facts, Part } from '../parts/parts.tsx'
import { useTitle } from '../parts/sheet.ts'
import { recordsChanged, Table, useChanges } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { Button, useWork } from '../parts/work.tsx'
import type { Obligation } from '../returns/calendar.ts'
import { periodWords } from '../returns/period-words.ts'
import { linkToReturn, returnOf } from '../returns/return-address.ts'
import { may } from '../scopes.ts'
import type { RecordProps } from '../view-module.ts'
import { ChangeRegistration, EndRegistration, frequencyWords, NewRegistration } from './forms.tsx'
import { nameOf, readRegistrations, type Registration, stateOf, validity } from './registration.ts'

/** The places and schemes in which the seller collects tax. */
export function View() {
  const loading = useLoading(() => Promise.all([readRegistrations(), placeNames(), readNextReturns()]))
  useChanges(() => void loading.again())
  return (
    <Loaded
      of={loading}
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
            action: <AddLink />,
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
  return <AddLink first />
}

function AddLink({ first = false }: { first?: boolean }) {
  return may('registrations:write') ? (
    <a class={first ? 'button first' : 'button'} href="#/registrations/new">
      Add a registration
    </a>
  ) : null
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
  const loading = useLoading(() => Promise.all([callApi<Registration>('GET', path), placeNames()]), [path])
  useChanges(() => void loading.again())
  const show = ([of, names]: [Registration, Names]) => (
    <Inside key={of.updated_at} of={of} names={names} path={path} />
  )
  return <Loaded of={loading} show={show} />
}

function Inside({ of, names, path }: { of: Registration; names: Names; path: string }) {
  const name = nameOf(of, names)
  useTitle(name, <Badge word={stateOf(of)} />, [of.updated_at])
  return (
    <>
      <Facts
        of={[
          ['Number', of.registration_number],
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
  const work = useWork()
  const remove = async () => {
    const title = `Delete the registration in ${name}?`
    const text =
      'Delete only what was added by mistake. A registration that was valid is ended with its last day.'
    if (!(await confirmed({ title, text, yes: 'Delete' }))) return
    await callApi('DELETE', path)
    toast(`The registration in ${name} is deleted`)
    location.hash = linkTo('registrations')
    recordsChanged()
  }
  return (
    <Part title="Added by mistake?">
      <Button of={work} act={remove} kind="dangerous">
        Delete…
      </Button>
      {work.notice}
    </Part>
  )
}
