import type { Bindings } from '../../platform/bindings.ts'
import { readTarget } from '../../notices/delivery/target.ts'
import { compareVersions, type Newest, NEWEST_KEY } from './newer-release.ts'

const TIMEOUT_MS = 10_000
const LENGTH_MAX = 1_000_000
const TITLES_MAX = 100

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
  const before = await env.KV.get<Newest>(NEWEST_KEY, 'json')
  if (version === null || version === before?.version) return
  await env.KV.put(NEWEST_KEY, JSON.stringify({ version, since: now.toISOString() } satisfies Newest))
}

/** The newest version in the titles of a feed. Releases for a trial, such as 1.2.0-rc.1, do not count. */
export function newestIn(feed: string): string | null {
  const titles = [...feed.matchAll(/(?:<title[^<>]{0,100}>|"title"\s{0,9}:\s{0,9}")([^<"]{1,200})/g)]
  const versions = titles
    .slice(0, TITLES_MAX)
    .flatMap(([, title = '']) => /(?:^|[\sv])(\d{1,5}\.\d{1,5}\.\d{1,5})(?![\w.-])/.exec(title)?.[1] ?? [])
  return versions.toSorted(compareVersions).at(-1) ?? null
}
