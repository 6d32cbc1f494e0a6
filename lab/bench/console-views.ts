import type { Browser } from 'playwright-core'
import { median } from './measure.ts'
import { type Opened, open, watch } from './console-page.ts'

/** The views of the console as an account with example books has them. */
const VIEWS = [
  'overview',
  'transactions',
  'returns',
  'nexus',
  'customers',
  'certificates',
  'calculation',
  'local-taxes?postal_code=30318',
  'registrations',
  'rates?place=DE',
  'webhooks',
  'shops',
  'keys',
  'people',
  'settings',
]

/** How many times slower than the machine the processor is. */
export const SLOWER = [1, 4, 6]

/** Medians of a view: with an empty cache, and again in the same browser. */
export type ViewFigures = { view: string; cold: Opened[]; warm: Opened[] }

/** Opens each view so many times with each processor. */
export async function measureViews(
  browser: Browser,
  { origin, key }: { origin: string; key: string },
  tries: number,
): Promise<ViewFigures[]> {
  const found: ViewFigures[] = []
  for (const view of VIEWS) {
    const url = `${origin}/console#/${view}`
    const cold: Opened[] = []
    const warm: Opened[] = []
    for (const slower of SLOWER) {
      const [first, again]: [Opened[], Opened[]] = [[], []]
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const watched = await watch(browser, key, slower)
        first.push(await open(watched, url))
        again.push(await open(watched, url))
        await watched.close()
      }
      cold.push(medians(first))
      warm.push(medians(again))
    }
    found.push({ view: view.replace(/\?.*/, ''), cold, warm })
  }
  return found
}

function medians(of: readonly Opened[]): Opened {
  return {
    usable_ms: median(of.map((each) => each.usable_ms)),
    processor_ms: median(of.map((each) => each.processor_ms)),
    script_ms: median(of.map((each) => each.script_ms)),
    kilobytes: median(of.map((each) => each.kilobytes)),
    requests: median(of.map((each) => each.requests)),
  }
}
