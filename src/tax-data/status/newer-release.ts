import type { Bindings } from '../../platform/bindings.ts'
import { RELEASE } from '../../platform/release.ts'

/** Where the newest release of the feed is in KV. */
export const NEWEST_KEY = 'operations:newest-release'
/** The newest release changes once in weeks. */
const KEPT_S = 3_600

/** The newest release of the feed, and since when this service knows it. */
export type Newest = { version: string; since: string }

/** The newest release, if it is newer than the one that runs; null: it is not, or nobody is asked. */
export async function newerRelease(
  env: Pick<Bindings, 'KV' | 'RELEASES_URL'>,
  running = RELEASE,
): Promise<Newest | null> {
  if (!env.RELEASES_URL) return null
  const newest = await env.KV.get<Newest>(NEWEST_KEY, { type: 'json', cacheTtl: KEPT_S }).catch(() => null)
  const [version = ''] = running.split('+')
  return newest !== null && compareVersions(newest.version, version) > 0 ? newest : null
}

/** Below zero if the first version is the older one. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  const differing = [0, 1, 2].map((part) => (a?.[part] ?? 0) - (b?.[part] ?? 0)).find((each) => each !== 0)
  return differing ?? 0
}
