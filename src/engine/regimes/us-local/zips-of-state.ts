import { type CountyOfZip, countiesOfZip, type LocalBook } from './local-book.ts'
import { STATE_FIPS } from './state-fips.ts'

/** What is on file of a ZIP in a state. */
export type ZipOfState = {
  zip5: string
  counties: readonly CountyOfZip[]
  /** The ids of the jurisdictions that tax together, for each part of the ZIP; by the newest boundaries. */
  stacks: readonly (readonly string[])[]
}

/** The ZIPs of a state, at most some 3,000. */
export function zipsOfState(book: LocalBook, state: string): ZipOfState[] {
  const prefix = STATE_FIPS[state] ?? '--'
  const [newest] = book.state(state)?.boundaries ?? []
  const known = [...book.zips].flatMap(([zip3, text]) =>
    text.split('\n').flatMap((line) => (line.includes(` ${prefix}`) ? [zip3 + line.slice(0, 2)] : [])),
  )
  const all = [...new Set([...known, ...Object.keys(newest?.zips ?? {})])].toSorted()
  return all.map((zip5) => ({
    zip5,
    counties: countiesOfZip(book, zip5).filter(({ county_fips }) => county_fips.startsWith(prefix)),
    stacks: (newest?.zips[zip5] ?? []).flatMap((stack) => {
      const ids = newest?.stacks[stack]
      return ids === undefined ? [] : [ids]
    }),
  }))
}
