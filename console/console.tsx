import { type Child, ErrorBoundary, render, useLayoutEffect, useRef } from 'hono/jsx/dom'
import { LOGO, SERVICE_NAME } from '../src/interfaces/pages/navigation.ts'
import { type Account, hasScope, SESSION, who } from './account.ts'
import { ADDRESS, type Address, followAddress, type ViewProps } from './address.ts'
import { Failure, WAITING } from './api.ts'
import { Navigation } from './navigation.tsx'
import { FindButton, Palette } from './palette.tsx'
import { Toasts } from './parts/changes.tsx'
import { Drawer } from './parts/drawer.tsx'
import { keepFocus } from './parts/in-place.tsx'
import { FailureNotice, Loaded, loadScripts, Skeleton, useLoading } from './parts/load.tsx'
import { announce, EmptyState, LinkButton, resetTitle } from './parts/parts.tsx'
import { ROWS } from './parts/table.tsx'
import { restorePlace } from './place.ts'
import { answerOtherTabs, askOtherTabs, type Kept, stored } from './session.ts'
import {
  explainRefused,
  openAccount,
  SignIn,
  signInPerson,
  signInWith,
  signOut,
  signOutEverywhere,
} from './sign-in.tsx'
import { roleName } from './people/roles.ts'
import { Store, useStore } from './store.ts'
import { type View, VIEWS } from './views.ts'

/** What the console is made of: README.md says how a view is made. */
function Console() {
  const session = useStore(SESSION)
  const starting = useStore(STARTING)
  const address = useStore(ADDRESS)
  // While the key of the tab is tried, the frame is already that of a view: else it would move.
  const signed_out = session === null && !starting
  useLayoutEffect(() => {
    document.body.classList.toggle('signed-out', signed_out)
  }, [signed_out])
  const views = VIEWS.filter(({ scope }) => scope === null || hasScope(session?.scopes ?? [], scope))
  const view = viewAt(address, views)
  return (
    <>
      <header id="side">
        <p class="brand">
          <a href="/">
            <span dangerouslySetInnerHTML={{ __html: LOGO }} /> {SERVICE_NAME}
          </a>{' '}
          <AccountName />
        </p>
        {!signed_out && <FindButton />}
        {session !== null && (
          <Navigation
            views={views}
            current={view}
            page={address.page}
            person={session.person && { name: session.person.name, role: roleName(session.person.role) }}
            signOut={signOutEverywhere}
          />
        )}
        <nav class="elsewhere" aria-label="Pages">
          <a href="/docs/">Docs</a>
          <a href="/jurisdictions">Rates</a>
          <a href="/status">Status</a>
        </nav>
      </header>
      <main id="content" tabindex={-1}>
        <Waiting />
        <Content view={view} />
      </main>
      {session !== null && view !== null && address.id !== null && (
        <Record view={view} address={address} id={address.id} />
      )}
      {session !== null && <Palette views={views} />}
      <Toasts />
    </>
  )
}

/**
 * One line, also before the name is known. A long name is cut, the word "sandbox" is not. A person of several
 * accounts chooses one here.
 */
function AccountName() {
  const session = useStore(SESSION)
  const accounts = session?.person?.accounts ?? []
  if (accounts.length > 1) return <AccountChoice accounts={accounts} />
  const name = session === null ? '\u00a0' : (session.account?.name ?? 'Signed in')
  return (
    <span id="account" title={name}>
      <span>{name}</span>
      {session?.account?.sandbox && <span>{' (sandbox)'}</span>}
    </span>
  )
}

/** The account of this tab alone: another tab can show another one. */
function AccountChoice({ accounts }: { accounts: readonly Pick<Account, 'id' | 'name' | 'sandbox'>[] }) {
  const kept = stored()
  const current = kept !== null && 'account_id' in kept ? kept.account_id : null
  const choose = ({ target }: Event) => {
    if (target instanceof HTMLSelectElement && target.value !== current) openAccount(target.value)
  }
  return (
    <select id="account" aria-label="Account" onInput={choose}>
      {accounts.map(({ id, name, sandbox }) => (
        <option value={id} selected={id === current}>
          {sandbox ? `${name} (sandbox)` : name}
        </option>
      ))}
    </select>
  )
}

/** The view of an address; null: there is none, or not for this key. */
function viewAt({ path }: Address, views: readonly View[]): View | null {
  return path === '' ? VIEWS[0] : (views.find((each) => each.path === path) ?? null)
}

/** What stands beside the menu. Without a view, the address or the key has none. */
function Content({ view }: { view: View | null }) {
  const session = useStore(SESSION)
  const failure = useStore(NO_ANSWER)
  const starting = useStore(STARTING)
  const asking = useStore(ASKING)
  const { path, page, query } = useStore(ADDRESS)
  if (failure !== null) return <FailureNotice thrown={failure} retry={() => location.reload()} />
  if (session === null) return starting ? <Skeleton lines={10} /> : asking ? null : <SignIn />
  if (view === null) return <NoView key={page} path={path} />
  return <Page key={`${view.path} ${page}`} view={view} query={query} />
}

/** The heading of a new page, which gets the focus, with what stands beside it. */
function Head({ title, children }: { title: string; children?: Child }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    document.title = `${title} · Console`
    ROWS.set([])
    announce('')
    restorePlace()
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div class="head">
      <h1 ref={heading} tabindex={-1}>
        {title}
      </h1>
      {children}
    </div>
  )
}

function NoView({ path }: { path: string }) {
  const known = VIEWS.find((view) => view.path === path)
  const action = <LinkButton to="#/overview" name="Overview" />
  const named = known ? known.title : `“${path.slice(0, 50)}”`
  const text = known
    ? `${howToGet(known.scope)}, or choose a view from the menu.`
    : 'Choose a view from the menu.'
  return (
    <>
      <Head title={known ? `${who()} cannot open this view` : 'This view does not exist'} />
      <EmptyState title={named} text={text} action={action} />
    </>
  )
}

function howToGet(scope: View['scope']): string {
  return SESSION.get()?.person
    ? `Ask an owner of the account for a role with the scope ${scope}`
    : `Sign in with a key that has the scope ${scope}`
}

/** Whether what the tab keeps is tried. */
const STARTING = new Store(stored() !== null)

/** Whether it is asked if the browser has the cookie of a person. The form for a key waits for that. */
const ASKING = new Store(stored() === null)

/** The failure of the first request, if the service did not answer at all. */
const NO_ANSWER = new Store<unknown>(null)

/** A view with its heading, which is there before the view is loaded. */
function Page({ view, query }: ViewProps & { view: View }) {
  const loading = useLoading(() => loadScripts(view.load))
  const Actions = loading.value?.Actions
  // Tables go first: a field that is taken from above a long one lets the browser style all its rows again.
  useLayoutEffect(
    () => () => document.querySelectorAll('#content .table').forEach((each) => each.remove()),
    [],
  )
  return (
    <>
      <Head title={view.title}>
        <div class="actions">{Actions && <Actions query={query} />}</div>
      </Head>
      <ErrorBoundary fallbackRender={(thrown) => <FailureNotice thrown={thrown} />}>
        <Loaded of={loading} lines={10} show={({ View }) => <View query={query} />} />
      </ErrorBoundary>
    </>
  )
}

/** The drawer of the record that the address names. */
function Record({ view, address, id }: { view: View; address: Address; id: string }) {
  const loading = useLoading(async () => ({ ...(await loadScripts(view.load)), of: view }), [view])
  useLayoutEffect(() => resetTitle(view.title), [view, id])
  // For a moment after the view has changed, the value is that of the one before.
  const module = loading.value?.of === view ? loading.value : null
  const Inside = (id === 'new' && module?.New) || module?.Record
  return (
    <Drawer>
      <div class="drawer-body">
        {Inside && <Inside key={id} id={id} query={address.query} />}
        {!Inside && <Loaded of={loading} show={() => <Skeleton />} />}
      </div>
    </Drawer>
  )
}

/** Says how long a request waits that came too early. It is then sent again by itself. */
function Waiting() {
  const until = useStore(WAITING)
  const told = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (until === null) return
    const tell = () => {
      const seconds = Math.max(0, Math.ceil((until.getTime() - Date.now()) / 1000))
      told.current?.replaceChildren(String(seconds))
    }
    tell()
    const timer = setInterval(tell, 1000)
    return () => clearInterval(timer)
  }, [until])
  return until === null ? null : (
    <p class="waiting" role="status">
      Too many requests. Trying again in <span ref={told} /> s.
    </p>
  )
}

addEventListener('keydown', (event) => {
  const search = document.querySelector('input[type="search"]')
  const is_typing =
    event.target instanceof Element && event.target.closest('input, select, textarea') !== null
  if (event.key !== '/' || is_typing || !(search instanceof HTMLElement)) return
  event.preventDefault()
  search.focus()
})
// The Back button can bring back a page of before the sign-out, with all that it showed.
addEventListener('pageshow', ({ persisted }) => persisted && stored() === null && location.reload())

async function start(): Promise<void> {
  followAddress()
  keepFocus()
  answerOtherTabs(() => signOut())
  const kept = stored()
  const place = document.getElementById('app')
  if (place !== null) render(<Console />, place)
  if (kept !== null) return resume(kept)
  askOtherTabs((found) => void resume(found))
  await askAccess()
}

/** What is refused is forgotten. If the service does not answer, the next reload tries again. */
async function resume(kept: Kept): Promise<void> {
  try {
    if ('key' in kept) await signInWith(kept.key)
    else await signInPerson(kept.account_id)
  } catch (thrown) {
    if (isRefused(thrown)) signOut(thrown)
    else NO_ANSWER.set(thrown)
  }
  STARTING.set(false)
}

function isRefused(thrown: unknown): thrown is Failure {
  return thrown instanceof Failure && (thrown.status === 401 || thrown.reason === 'not_a_member')
}

/** Signs a person in without a word, if Access knows one. Else there is the form for a key. */
async function askAccess(): Promise<void> {
  await signInPerson(null).catch(explainRefused)
  ASKING.set(false)
}

void start()
