import type { Bindings } from './bindings.ts'

/** The variables with the two addresses of this service: for the public, and for people who sign in. */
const ADDRESSES = ['PUBLIC_URL', 'CONSOLE_URL'] as const

type AddressName = (typeof ADDRESSES)[number]

/** What decides whether the addresses must be set, also as `wrangler.toml` has it. */
type Setting = Readonly<
  Partial<Record<AddressName | 'ACCESS_ISSUER' | 'OIDC_ISSUER' | 'MAIL_FROM' | 'MAIL', unknown>>
>

/** A path as a whole link, without a request; null: the operator has not set the address. */
export function linkTo(env: Pick<Bindings, AddressName>, address: AddressName, path: string): string | null {
  const { [address]: base } = env
  return isAddress(base) ? new URL(path, base).href : null
}

/** A link for customers, calendars and shops, at PUBLIC_URL. Without that, at the host of the request. */
export function publicLink(env: Pick<Bindings, AddressName>, path: string, asked_url: string): string {
  return linkTo(env, 'PUBLIC_URL', path) ?? new URL(path, asked_url).href
}

/**
 * The addresses that an operator has to set: those that are no address, and those that are not set although
 * people sign in at a host of their own, or mails are sent, which no request has a host for.
 */
export function unsetAddresses(env: Setting): AddressName[] {
  const needed = [env.ACCESS_ISSUER, env.OIDC_ISSUER, env.MAIL_FROM, env.MAIL].some(Boolean)
  return ADDRESSES.filter((name) => (env[name] ? !isAddress(env[name]) : needed))
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && ['https:', 'http:'].includes(URL.parse(value)?.protocol ?? '')
}
