import type { Child } from 'hono/jsx/dom'
import { linkTo } from '../address.ts'
import { may } from '../scopes.ts'
import { Copy } from './copy.tsx'

/** A list of names with their values. What has no value, or an empty one, is left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: Child] | null)[] }) {
  return (
    <dl>
      {of
        .filter((pair) => pair !== null && pair[1] !== null && pair[1] !== '')
        .map((pair) => (
          <div>
            <dt>{pair?.[0]}</dt>
            <dd>{pair?.[1]}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A link to the page of an authority or of a source of data. */
export function Source({ url, name }: { url: string; name: string }) {
  return (
    <a href={url} rel="noreferrer">
      {name}
    </a>
  )
}

/** The link to the form of a new record, if the key may add one. `first` is the one beside the heading. */
export function AddLink({ to, name, first = false }: { to: Added; name: string; first?: boolean }) {
  return may(to === 'certificates' ? 'customers:write' : `${to}:write`) ? (
    <a class={first ? 'button first' : 'button'} href={linkTo(to, { id: 'new' })}>
      {name}
    </a>
  ) : null
}

/** The views whose records are added here. Scopes have the same names; certificates belong to customers. */
type Added = 'certificates' | 'customers' | 'keys' | 'registrations' | 'webhooks'

type SectionProps = { title: string; children: Child; card?: boolean }

/** A part of a page with its heading. */
export function Section({ title, children, card = false }: SectionProps) {
  return (
    <section class={card ? 'card stack' : 'section'} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** A part of a drawer with its heading. */
export function Part({ title, children }: { title: string; children: Child }) {
  return (
    <section class="section" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** The words in place of something that is not there: what would be here, and how to get it. */
export type Empty = { title: string; text: string; action?: Child }

export function EmptyState({ title, text, action }: Empty) {
  return (
    <div class="card empty">
      <strong>{title}</strong>
      <p>{text}</p>
      {action && <div class="actions">{action}</div>}
    </div>
  )
}

type SecretOnceProps = { name: string; secret: string; advice: string; done: () => void }

/** A secret that the service shows once. It stays until the user has stored it. */
export function SecretOnce({ name, secret, advice, done }: SecretOnceProps) {
  return (
    <section class="secret-once stack" aria-label={name}>
      <h3>{name}: it is shown only now</h3>
      <code>{secret}</code>
      <p class="quiet">{advice}</p>
      <div class="actions">
        <Copy text={secret} />
        <button type="button" class="first" onClick={done}>
          I have stored it
        </button>
      </div>
    </section>
  )
}

/** How full a bar is, from 0 to 1. The figure stands beside it. `state` names its colour. */
export function Bar({ share, state, track = true }: { share: number; state: string; track?: boolean }) {
  return (
    <svg class={`threshold-bar ${state}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {track && <rect class="track" y="2" width="100" height="6" />}
      <rect class="reached" y="2" width={Math.min(100, share * 100)} height="6" />
    </svg>
  )
}
