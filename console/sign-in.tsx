import { useEffect } from 'hono/jsx/dom'
import { readSession, SESSION } from './account.ts'
import { Failure, mistake, setApiKey } from './api.ts'
import { forgetNames } from './names.ts'
import { clearToasts } from './parts/changes.tsx'
import { Form, Input } from './parts/form.tsx'
import { FailureNotice } from './parts/load.tsx'
import { forgetRows } from './parts/table.tsx'
import { forgetKey, leaveOtherTabs, storeKey } from './session.ts'
import { Store, useStore } from './store.ts'

/** Why the user is signed out; null: by the user's own wish. */
const WHY = new Store<Failure | null>(null)

/** Throws the Failure of a key that is not accepted. */
export async function signInWith(key: string): Promise<void> {
  setApiKey(key)
  const session = await readSession()
  setApiKey(key, signOut)
  storeKey(key)
  WHY.set(null)
  SESSION.set(session)
}

/** Forgets the key and all that was read with it, in this tab. */
export function signOut(why: Failure | null = null): void {
  setApiKey('')
  forgetKey()
  forgetNames()
  forgetRows()
  clearToasts()
  WHY.set(why)
  SESSION.set(null)
}

/** Forgets the key in all tabs. */
export function signOutEverywhere(): void {
  leaveOtherTabs()
  signOut()
}

const ENDED = 'Your key is no longer valid, because it was revoked or has expired.'

/** The service speaks to programs about a key that it refuses. */
function explained(thrown: unknown): never {
  if (!(thrown instanceof Failure) || thrown.status !== 401) throw thrown
  throw mistake('API key: this key is not valid. Check that you copied all of it.')
}

export function SignIn() {
  const why = useStore(WHY)
  useEffect(() => {
    document.title = 'Console'
    document.querySelector<HTMLInputElement>('input[name="key"]')?.focus()
  }, [])
  return (
    <div class="card stack">
      <h1>Console</h1>
      <p class="quiet">Sales, returns and thresholds of your account. Sign in with an API key.</p>
      <Form name="Sign in" send={(typed) => signInWith(typed.text('key')).catch(explained)}>
        <Input label="API key" name="key" type="password" required>
          Your tabs keep the key until you sign out or close them. It is sent to this service only, and never
          stored in another place.
        </Input>
      </Form>
      {why !== null && <FailureNotice thrown={why.status === 401 ? mistake(ENDED) : why} />}
    </div>
  )
}
