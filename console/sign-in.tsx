import { useEffect } from 'hono/jsx/dom'
import { readSession, SESSION } from './account.ts'
import { Failure, isSender, mistake, setSender } from './api.ts'
import { forgetNames } from './names.ts'
import { clearToasts } from './parts/changes.tsx'
import { Form, Input } from './parts/form.tsx'
import { FailureNotice } from './parts/load.tsx'
import { Press } from './parts/parts.tsx'
import { forgetRows } from './parts/table.tsx'
import { forget, leaveOtherTabs, store } from './session.ts'
import { Store, useStore } from './store.ts'

/** Why the user is signed out; null: by the user's own wish. */
const WHY = new Store<Failure | null>(null)

/** Where Access ends the sign-in of a person. */
const LEAVE_ACCESS = '/cdn-cgi/access/logout'

/** Whether people sign in at an OpenID Connect provider. */
const OPEN_ID = new Store(false)

async function askWay(): Promise<void> {
  const answer = await fetch('/sign-in/way').catch(() => null)
  const way = answer?.ok === true ? await answer.json().catch(() => null) : null
  OPEN_ID.set(way?.open_id === true)
}

/** Leads to the provider, and from there back to this view. `again`: it asks who it is. */
function goToProvider(again: boolean): void {
  location.assign(`/sign-in?${new URLSearchParams({ view: location.hash, ...(again && { again: '' }) })}`)
}

/** Ends the session of a person; else Access has the cookie, and ends it at its own address. */
async function leave(then: () => void): Promise<void> {
  const headers = { 'X-Client': 'console' }
  const ended = await fetch('/sign-in/end', { method: 'POST', headers }).catch(() => null)
  if (ended?.ok === true) then()
  else location.assign(LEAVE_ACCESS)
}

/** Throws the Failure of a key that is not accepted. */
export async function signInWith(key: string): Promise<void> {
  setSender({ key })
  const session = await readSession()
  setSender({ key, refused: signOut })
  store({ key })
  WHY.set(null)
  SESSION.set(session)
}

/**
 * Signs in the person whom Cloudflare Access knows by the cookie of the browser, in an account of theirs
 * (null: the first one). Nothing, if a key or another account came in between. Throws the Failure of one who
 * is not accepted.
 */
export async function signInPerson(asked: string | null): Promise<void> {
  const asking = { account_id: asked }
  setSender(asking)
  const session = await readSession().catch((thrown: unknown) => {
    if (!isSender(asking)) return null
    setSender()
    throw thrown
  })
  if (session === null || !isSender(asking)) return
  const account_id = asked ?? session.account?.id ?? null
  const [first] = session.person?.accounts ?? []
  if (account_id === null) return first && signInPerson(first.id)
  setSender({ account_id, refused: signOut })
  store({ account_id })
  WHY.set(null)
  SESSION.set(session)
}

const OF_PEOPLE = ['invalid_sign_in', 'not_a_member', 'account_suspended', 'sign_in_unavailable']

/** Says why Access or the service refuses a person. Without Access, there is the form for a key alone. */
export function explainRefused(thrown: unknown): void {
  if (thrown instanceof Failure && OF_PEOPLE.includes(thrown.reason)) WHY.set(thrown)
}

/** Opens another account of the person. The page begins anew, so nothing of the other account stays. */
export function openAccount(account_id: string): void {
  store({ account_id })
  location.hash = ''
  location.reload()
}

/** Forgets the key and all that was read with it, in this tab. */
export function signOut(why: Failure | null = null): void {
  setSender()
  forget()
  forgetNames()
  forgetRows()
  clearToasts()
  WHY.set(why)
  SESSION.set(null)
}

/** Forgets the key in all tabs. The session of a person ends in all browsers. */
export function signOutEverywhere(): void {
  const person = SESSION.get()?.person ?? null
  leaveOtherTabs()
  signOut()
  if (person !== null) void leave(() => location.assign('/console/'))
}

const ENDED = 'Your key is no longer valid, because it was revoked or has expired.'

/** The service speaks to programs about a key that it refuses. */
function explained(thrown: unknown): never {
  if (!(thrown instanceof Failure) || thrown.status !== 401) throw thrown
  throw mistake('API key: this key is not valid. Check that you copied all of it.')
}

/** Access asks who it is when the page is read again, and forgets it at its own address. */
function Why({ of }: { of: Failure }) {
  if (of.reason === 'invalid_sign_in')
    return (
      <>
        <FailureNotice thrown={of} />
        <Press name="Sign in again" act={() => (OPEN_ID.get() ? goToProvider(false) : location.reload())} />
      </>
    )
  if (of.reason !== 'not_a_member') return <FailureNotice thrown={of.status === 401 ? mistake(ENDED) : of} />
  return (
    <>
      <FailureNotice thrown={of} />
      <Press name="Sign in as another person" act={() => void leave(() => goToProvider(true))} />
    </>
  )
}

export function SignIn() {
  const why = useStore(WHY)
  const by_provider = useStore(OPEN_ID)
  useEffect(() => {
    document.title = 'Console'
    void askWay()
    document.querySelector<HTMLInputElement>('input[name="key"]')?.focus()
  }, [])
  return (
    <div class="card stack">
      <h1>Console</h1>
      <p class="quiet">Sales, returns and thresholds of your account. Sign in with an API key.</p>
      {by_provider && (
        <Press name="Sign in with the account of your company" act={() => goToProvider(false)} />
      )}
      <Form name="Sign in" send={(typed) => signInWith(typed.text('key')).catch(explained)}>
        <Input label="API key" name="key" type="password" required>
          Your tabs keep the key until you sign out or close them. It is sent only to this service, and stored
          nowhere else.
        </Input>
      </Form>
      {why !== null && <Why of={why} />}
    </div>
  )
}
