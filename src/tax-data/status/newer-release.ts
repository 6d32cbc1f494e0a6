import type { Bindings } from '../../platform/bindings.ts'
import { RELEASE } from '../../platform/release.ts'
import { readTarget } from '../../notices/delivery/target.ts'

type Env = Pick<Bindings, 'KV' | 'RELEASES_URL'>

const KEY = 'operations:newest-release'
const TIMEOUT_MS = 10_000
const LENGTH_MAX = 1_000_000
const TITLES_MAX = 100
/** The newest release changes once in weeks. */
const KEPT_S = 3_600

/** The newest release of the feed, and since when this service knows it. */
type Newest = { version: string; since: string }

/**
 * Reads the newest release from the feed that the operator names (Atom or JSON Feed), once a day. Without
 * RELEASES_URL, nobody is asked. Only the numbers of titles are kept, and no link or text of the feed.
 */
export async function readReleases(env: Bindings, now: Date): Promise<void> {
  const { RELEASES_URL } = env
  if (!RELEASES_URL) return
  const target = readTarget(env, RELEASES_URL)
  if (!target.ok) throw new Error(`RELEASES_URL ${target.why}`)
  const response = await fetch(target.url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
  const text = await response.text()
  if (!response.ok || text.length > LENGTH_MAX) throw new Error(`RELEASES_URL answers ${response.status}`)
  const version = newestIn(text)
  const before = await env.KV.get<Newest>(KEY, 'json')
  if (version === null || version === before?.version) return
  await env.KV.put(KEY, JSON.stringify({ version, since: now.toISOString() } satisfies Newest))
}

/** The newest release, if it is newer than the one that runs; null: it is not, or nobody is asked. */
export async function newerRelease(env: Env, running = RELEASE): Promise<Newest | null> {
  if (!env.RELEASES_URL) return null
  const newest = await env.KV.get<Newest>(KEY, { type: 'json', cacheTtl: KEPT_S }).catch(() => null)
  const [version = ''] = running.split('+')
  return newest !== null && compare(newest.version, version) > 0 ? newest : null
}

/** The newest version in the titles of a feed. Releases for a trial, such as 1.2.0-rc.1, do not count. */
export function newestIn(feed: string): string | null {
  const titles = [...feed.matchAll(/(?:<title[^<>]{0,100}>|"title"\s{0,9}:\s{0,9}")([^<"]{1,200})/g)]
  const versions = titles
    .slice(0, TITLES_MAX)
    .flatMap(([, title = '']) => /(?:^|[\sv])(\d{1,5}\.\d{1,5}\.\d{1,5})(?![\w.-])/.exec(title)?.[1] ?? [])
  return versions.toSorted(compare).at(-1) ?? null
}

function compare(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  const differing = [0, 1, 2].map((part) => (a?.[part] ?? 0) - (b?.[part] ?? 0)).find((each) => each !== 0)
  return differing ?? 0
}
