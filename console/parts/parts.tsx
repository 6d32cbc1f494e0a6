import { type Child, useLayoutEffect, useState } from 'hono/jsx/dom'
import { may } from '../account.ts'
import { linkTo } from '../address.ts'
import { dayText, momentText } from '../format.ts'
import { Store } from '../store.ts'
import { inWords } from '../words.ts'

/** A list of names with their values. What has no value, or an empty one, is left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: Child])[] }) {
  const known = of.filter(([, value]) => value !== null && value !== '')
  return (
    <dl>
      {known.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type PressProps = { name: Child; act: () => void; kind?: 'first' | 'plain' | 'plain all'; label?: string }

/** A button that only changes what is shown. */
export function Press({ name, act, kind, label }: PressProps) {
  return (
    <button type="button" class={kind} aria-label={label} onClick={act}>
      {name}
    </button>
  )
}

/** The id of a record, to be copied. */
export function Id({ of }: { of: string }) {
  return (
    <span class="id">
      <code>{of}</code> <Copy text={of} label="Copy the id" />
    </span>
  )
}

/** A link to a page elsewhere, such as that of a source of data. Only an address of the web is one. */
export function Source({ url, name, apart = false }: { url: string; name: string; apart?: boolean }) {
  if (!/^https?:\/\//.test(url)) return <>{name}</>
  return (
    <a href={url} rel="noreferrer" target={apart ? '_blank' : undefined}>
      {name}
    </a>
  )
}

/** A link that looks like a button. */
export function LinkButton({ to, name, first = false }: { to: string; name: string; first?: boolean }) {
  return (
    <a class={first ? 'button first' : 'button'} href={to}>
      {name}
    </a>
  )
}

/** The link to the form of a new record, if the key may add one. `first` is the one beside the heading. */
export function AddLink({ to, ...link }: { to: Added; name: string; first?: boolean }) {
  if (!may(to === 'certificates' ? 'customers:write' : `${to}:write`)) return null
  return <LinkButton to={linkTo(to, { id: 'new' })} {...link} />
}

/** The views whose records are added here. Scopes have the same names; certificates belong to customers. */
type Added = 'certificates' | 'customers' | 'keys' | 'people' | 'registrations' | 'webhooks'

type SectionProps = { title: string; children: Child; card?: boolean; beside?: Child }

/** A part of a page with its heading, and what stands `beside` it. */
export function Section({ title, children, card = false, beside }: SectionProps) {
  return (
    <section class={card ? 'card stack' : 'section'} aria-label={title}>
      {beside === undefined ? (
        <h2>{title}</h2>
      ) : (
        <div class="row">
          <h2>{title}</h2>
          {beside}
        </div>
      )}
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

/** The words of an empty list: which entries it will have, and how to add the first. */
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
      <h3>{name}: shown only once</h3>
      <code>{secret}</code>
      <p class="quiet">{advice}</p>
      <div class="actions">
        <Copy text={secret} />
        <Press name="I have stored it" act={done} kind="first" />
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

/** The states that have a colour. All others are grey. */
const TONES = {
  good: 'completed, registered, fresh, healthy, verified, valid, active, delivered, succeeded, filed, paid',
  warn: 'pending, approaching, ageing, degraded, to review, expires soon, failing, due',
  bad:
    'exceeded, present, stale, unhealthy, quarantined, rejected, expired, invalid, disabled, failed, ' +
    'overdue',
  news: 'refunded, refunded in part, not yet valid, open, reviewed',
}

type Tone = keyof typeof TONES | 'plain'

function toneOf(word: string): string {
  return Object.entries(TONES).find(([, words]) => words.split(', ').includes(word))?.[0] ?? 'plain'
}

/** A state such as `refunded_in_part` as a word on a colour. */
export function Badge({ word, tone }: { word: string; tone?: Tone }) {
  return <span class={`badge ${tone ?? toneOf(word)}`}>{inWords(word)}</span>
}

/** The day of a moment in the time zone of the account, with the exact time on hover. */
export function Day({ at }: { at: string | null }) {
  if (at === null) return <span>Never</span>
  return (
    <time datetime={at} title={momentText(at)}>
      {dayText(at)}
    </time>
  )
}

/** A moment to the minute in the time zone of the account. */
export function Moment({ at }: { at: string | null }) {
  return at === null ? <span>Never</span> : <time datetime={at}>{momentText(at)}</time>
}

type CopyProps = { text: string; name?: string; label?: string; first?: boolean }

/** A button that copies a text. `first` is whether it is the main one of its part. */
export function Copy({ text, name = 'Copy', label, first = false }: CopyProps) {
  const [done, setDone] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => {
        setDone(true)
        announce('Copied')
        setTimeout(() => setDone(false), 2_000)
      },
      () => announce('The browser did not allow copying'),
    )
  return (
    <button type="button" class={first ? 'first' : 'copy'} aria-label={label} onClick={() => void copy()}>
      {done ? 'Copied' : name}
    </button>
  )
}

/** Puts the text into the unseen line that screen readers read aloud. */
export function announce(text: string): void {
  document.getElementById('said')?.replaceChildren(text)
}

/** A part that opens: what is inside is made when it is first opened. */
export function Folded({ title, make }: { title: string; make: () => Child }) {
  const [opened, setOpened] = useState(false)
  const toggle = ({ target }: Event) => {
    if (target instanceof HTMLDetailsElement && target.open) setOpened(true)
  }
  return (
    <details onToggle={toggle}>
      <summary>{title}</summary>
      {opened && <div class="stack folded">{make()}</div>}
    </details>
  )
}

/** The head of the open drawer: its title, and what stands beside it, such as a badge, and its address. */
export const SHEET = new Store<{ title: string; beside: Child; of: string }>({
  title: '',
  beside: null,
  of: '',
})

/** Gives a drawer a title until its record is known. A form names itself before this is called. */
export function resetTitle(title: string): void {
  if (SHEET.get().of !== location.hash) SHEET.set({ title, beside: null, of: location.hash })
}

/** Names the open drawer, as soon as its record is known. */
export function useTitle(title: string, beside: Child = null, of: readonly unknown[] = []): void {
  useLayoutEffect(() => SHEET.set({ title, beside, of: location.hash }), [title, ...of])
}
