import type { Provenance } from './facts.ts'

/**
 * How a trace cites a record: its source with the page. A home page shows nothing of a rule, so the source
 * stands alone then, and a record that nobody has seen there is called general knowledge.
 */
export function sourceCited({ source, source_url, last_verified_at }: Provenance): string {
  if (!isHomePage(source_url)) return `${source} (${source_url})`
  return last_verified_at === null ? `General knowledge, not verified. To be asked: ${source}` : source
}

/** Whether a URL leads to the entrance of a site or of its database, and not to a page about a rule. */
export function isHomePage(url: string): boolean {
  return isOnlyHost(url) || url === TEDB
}

/** Whether a URL is a host without a page. */
export function isOnlyHost(url: string): boolean {
  const { pathname, search, hash } = new URL(url)
  return pathname === '/' && search === '' && hash === ''
}

/** The entrance of the database of the rates of the member states. */
const TEDB = 'https://ec.europa.eu/taxation_customs/tedb/'
