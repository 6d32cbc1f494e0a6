import type { Obligation, Registration } from '../../client/src/schema.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { ifAllowed, read } from '../api.ts'
import { formatDay } from '../format.ts'
import { withNames } from '../names.ts'
import { change, Deeds } from '../parts/changes.tsx'
import { History } from '../parts/history.tsx'
import { Read } from '../parts/load.tsx'
import { AddLink, Badge, Facts, Moment, Part, useTitle } from '../parts/parts.tsx'
import { Table } from '../parts/table.tsx'
import { linkToReturn, returnOf } from '../returns/return.ts'
import { periodWords } from '../words.ts'
import { ChangeRegistration, EndRegistration, frequencyWords } from './forms.tsx'
import { nameOf, readRegistrations, stateOf, validity } from './registration.ts'

export { NewRegistration as New } from './forms.tsx'

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
              'Add the places and schemes where you are registered: the service then collects ' +
              'their tax and lists their returns.',
            action: <AddLink to="registrations" name="Add a registration" />,
          }}
          columns={[
            { head: 'Place or scheme', cell: nameOf },
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

export const Actions = () => <AddLink to="registrations" name="Add a registration" first />

/** The next return of each registration that is due within three months. Empty if the key may not read it. */
async function readNextReturns(): Promise<Map<string, Obligation>> {
  const asked = read('/v1/obligations', { limit: '100' })
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
  const show = (of: Registration) => <Inside key={of.updated_at} of={of} />
  return <Read read={() => withNames(read('/v1/registrations/{id}', { id }))} of={[id]} show={show} />
}

function Inside({ of }: { of: Registration }) {
  const path = `/v1/registrations/${of.id}`
  const name = nameOf(of)
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
