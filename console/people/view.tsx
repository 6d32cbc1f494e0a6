import { useState } from 'hono/jsx/dom'
import type { Person, PersonShown } from '../../client/src/schema.ts'
import { type Role, ROLE_IDS, ROLES } from '../../src/platform/database/values/roles.ts'
import { may } from '../account.ts'
import { linkTo, type RecordProps } from '../address.ts'
import { byOffset, read } from '../api.ts'
import { formatDay } from '../format.ts'
import { ScopeList } from '../keys/view.tsx'
import { change, Deeds } from '../parts/changes.tsx'
import { Form, Input, Select, type Typed } from '../parts/form.tsx'
import { History } from '../parts/history.tsx'
import { Read } from '../parts/load.tsx'
import { AddLink, Badge, Facts, Moment, Part, useTitle } from '../parts/parts.tsx'
import { SendOn } from '../parts/send-on.tsx'
import { PagedTable } from '../parts/table.tsx'
import { roleName, rolePurpose } from './roles.ts'

/** The people of the account. */
export function View() {
  return (
    <>
      <p class="quiet lead">
        People sign in as themselves with the sign-in of your company. Each has a role, and History names
        them. <a href="/docs/people">How people sign in</a>
      </p>
      <PagedTable
        caption="People with access"
        href={({ id }) => linkTo('people', { id })}
        columns={[
          { head: 'Name', cell: ({ name }) => name },
          { head: 'Role', phone: 'figure', keep: true, cell: ({ role }) => roleName(role) },
          { head: 'E-mail', cell: ({ email }) => email },
          { head: 'Last seen', keep: true, cell: lastSeen },
        ]}
        empty={{
          title: 'No people yet',
          text: 'Keys are for programs. Add each person who works here, and History says who did what.',
          action: <AddLink to="people" name="Add a person" />,
        }}
        read={byOffset('/v1/people', ({ people }) => people)}
      />
    </>
  )
}

export const Actions = () => <AddLink to="people" name="Add a person" first />

function lastSeen({ last_seen_at }: Person): string {
  return last_seen_at === null ? 'Never' : formatDay(last_seen_at)
}

export function Record({ id }: RecordProps) {
  return <Read read={() => read('/v1/people/{id}', { id })} of={[id]} show={(of) => <Inside of={of} />} />
}

function Inside({ of }: { of: PersonShown }) {
  const { id, name, email, role, created_at, updated_at, removed_at } = of
  const named = name === '' ? 'An erased person' : name
  const badge =
    removed_at === null ? null : <Badge word={`access ended ${formatDay(removed_at)}`} tone="warn" />
  useTitle(named, badge, [removed_at])
  const is_new = may('people:write') && removed_at === null && of.last_seen_at === null
  return (
    <>
      {is_new && (
        <SendOn
          title={`Send ${named} this address`}
          address={of.sign_in_url}
          advice="No message is sent. They sign in there with the sign-in of your company."
          to={email}
          subject="Your access to the tax console"
        />
      )}
      <Facts
        of={[
          ['E-mail', email],
          ['Role', roleName(role)],
          ['Last seen', lastSeen(of)],
          ['Added', <Moment at={created_at} />],
        ]}
      />
      {may('people:write') && mayGive(role) && (
        <>
          {removed_at === null && (
            <Part title="Name and role">
              <ChangeForm key={updated_at} of={of} first={!is_new} />
            </Part>
          )}
          <Part title={removed_at === null ? 'End the access' : 'Erase'}>
            <Endings of={of} named={named} />
          </Part>
        </>
      )}
      <Part title={`What the role ${roleName(role)} allows`}>
        <ScopeList scopes={ROLES[role]} />
      </Part>
      <History of={id} changes={updated_at} />
    </>
  )
}

/** Nobody gives more than they have. */
function mayGive(role: Role): boolean {
  return ROLES[role].every(may)
}

function ChangeForm({ of: { id, name, role }, first }: { of: Person; first: boolean }) {
  const send = (typed: Typed) => {
    const body = { name: typed.text('name'), role: typed.text('role') }
    return change('PUT', `/v1/people/${id}`, { body, told: 'The person is saved' })
  }
  return (
    <Form name="Save" send={send} first={first}>
      <Input label="Name" name="name" required maxlength={200} value={name} autocomplete="off" />
      <RoleChoice chosen={role} />
    </Form>
  )
}

/** The roles that the caller may give, and what the chosen one is for. */
function RoleChoice({ chosen }: { chosen: Role }) {
  const [role, setRole] = useState<string>(chosen)
  const offered = ROLE_IDS.filter(mayGive).map((each) => [each, roleName(each)])
  return (
    <Select label="Role" name="role" choices={Object.fromEntries(offered)} chosen={chosen} changed={setRole}>
      {rolePurpose(role)}
    </Select>
  )
}

/** Ends the access of a person, or erases them. */
function Endings({ of: { id, removed_at }, named }: { of: Person; named: string }) {
  const path = `/v1/people/${id}`
  const keys = 'Keys that they made stay valid: revoke those that they know.'
  const remove = () =>
    change('DELETE', path, {
      ask: {
        title: `Remove ${named}?`,
        text: `Their access ends at once. History goes on to name them. ${keys}`,
        yes: 'Remove',
      },
      told: `${named} no longer has access`,
      leave: linkTo('people'),
    })
  const erase = () =>
    change('DELETE', `${path}?erase=true`, {
      ask: {
        title: `Erase ${named}?`,
        text:
          'Their access ends at once, and name and e-mail are deleted. This cannot be undone. History ' +
          `keeps what they did, without a name. ${keys}`,
        yes: 'Erase',
      },
      told: 'The person is erased',
      leave: linkTo('people'),
    })
  if (named === 'An erased person') return <p class="quiet">Name and e-mail are deleted.</p>
  return (
    <Deeds
      of={[
        removed_at === null && { name: 'Remove…', act: remove, kind: 'dangerous' },
        { name: 'Erase name and e-mail…', act: erase, kind: removed_at === null ? undefined : 'dangerous' },
      ]}
    />
  )
}

/** The form of a new person. */
export function New() {
  useTitle('Add a person')
  const send = (typed: Typed, idempotency_key: string) => {
    const body = { email: typed.text('email'), name: typed.text('name'), role: typed.text('role') }
    return change<Person>('POST', '/v1/people', {
      body,
      idempotency_key,
      told: `${body.name} may sign in now`,
      leave: ({ id }) => linkTo('people', { id }),
    })
  }
  return (
    <Form name="Add the person" send={send}>
      <Input label="E-mail" name="email" type="email" required maxlength={254} autocomplete="off">
        The address with which they sign in at your company
      </Input>
      <Input label="Name" name="name" required maxlength={200} autocomplete="off">
        History shows it
      </Input>
      <RoleChoice chosen="accountant" />
    </Form>
  )
}
