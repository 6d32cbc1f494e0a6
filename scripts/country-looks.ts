import { countryName } from '../src/platform/http/country-name.ts'
import { daysAfter } from '../src/platform/kit/calendar.ts'
import type { CountryFile } from './shipped-data/country-file.ts'

/** A country whose pages a person should look at, and why, as sentences without a full stop. */
type DueLook = { country: string; looked_on: string | null; why: string[] }

/** A look is due this many days after the last one. */
const LOOK_DAYS = 90
/** And this many days before an announced change. */
const AHEAD_DAYS = 30

/** The countries that are due for a look on a day, by age or by an announced change; the oldest first. */
export function dueLooks(files: readonly CountryFile[], today: string): DueLook[] {
  return files
    .map((file) => ({
      country: file.country,
      looked_on: lookedOn(file),
      why: [...ageOf(lookedOn(file), today), ...changesOf(file, daysAfter(today, AHEAD_DAYS))],
    }))
    .filter(({ why }) => why.length > 0)
    .toSorted((one, other) => ((one.looked_on ?? '') < (other.looked_on ?? '') ? -1 : 1))
}

/** When a person looked last at the pages of a country; null: that is not on file. */
export function lookedOn({ looked_on, left_out }: CountryFile): string | null {
  return looked_on ?? left_out?.verified_at ?? null
}

function ageOf(looked_on: string | null, today: string): string[] {
  if (looked_on === null) return ['Nobody has looked at it']
  return daysAfter(looked_on, LOOK_DAYS) > today ? [] : [`The last look was on ${looked_on}`]
}

/** The announced changes that begin until a day, or whose day is unknown. */
function changesOf({ announced = [] }: CountryFile, until: string): string[] {
  return announced.flatMap(({ day, what }) => {
    if (day !== null && day > until) return []
    return [`${day ?? 'Day unknown'}: ${what}`]
  })
}

/** What was announced for a country, and when a person looked last, as a part of its page. */
export function looksSection(file: CountryFile | undefined): string {
  if (file === undefined) return ''
  const looked_on = lookedOn(file)
  const last = looked_on === null ? [] : [`A person looked at pages on this law last on ${looked_on}.`]
  const changes = (file.announced ?? []).map(
    ({ day, what, source, source_url }) => `- ${day ?? 'Day unknown'}: ${what} ([${source}](${source_url})).`,
  )
  const announced = changes.length === 0 ? [] : ['\nAnnounced:\n', ...changes]
  return `## Last look\n\n${[...last, ...announced].join('\n')}\n`
}

/** The countries that are due for a look on a day, as a part of the page on coverage. */
export function dueLooksSection(files: readonly CountryFile[], day: string): string {
  const rows = dueLooks(files, day).map(
    ({ country, looked_on, why }) =>
      `| ${countryName(country)} (\`${country}\`) | ${looked_on ?? 'never'} | ${why.join('; ')} |`,
  )
  return `## Due for a look

People look at the pages on each country again after ${LOOK_DAYS} days, and ${AHEAD_DAYS} days before an
announced change. On ${day} a look is due at these. \`npm run country -- --due\` prints those of today.

| Country | Last look | Why |
| --- | --- | --- |
${rows.join('\n')}
`
}
