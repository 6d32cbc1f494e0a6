import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { ADOPT_FORM, wrongLink } from '../src/interfaces/pages/wrong-link.ts'
import { countryName } from '../src/platform/http/country-name.ts'
import { Day } from './shipped-data/fields.ts'
import { PROJECT } from './wrangler.ts'

/** A person who keeps the data of a country right. `looked_on`: when they read its pages last. */
const Keeper = z
  .strictObject({
    country: z.string().regex(/^[A-Z]{2}$/),
    name: z.string().min(1),
    url: z.url({ protocol: /^https$/ }).nullable(),
    since: Day,
    looked_on: Day,
  })
  .refine(({ since, looked_on }) => since <= looked_on, {
    path: ['looked_on'],
    message: 'must not be before since',
  })
export type Keeper = z.output<typeof Keeper>

/** Those of data/keepers.json. Throws if one has another form, or a country has two. */
export function readKeepers(): Keeper[] {
  return keepersIn(JSON.parse(readFileSync(join(PROJECT, 'data/keepers.json'), 'utf8')))
}

/** The keepers of a file. Throws if one has another form, or a country has two. */
export function keepersIn(file: unknown): Keeper[] {
  const keepers = z.array(Keeper).parse(file)
  const twice = keepers.find(({ country }, i) => keepers.findIndex((each) => each.country === country) < i)
  if (twice !== undefined) throw new Error(`data/keepers.json: ${twice.country} has two keepers`)
  return keepers
}

/** Who keeps a country, and how to report what is wrong, as a part of its page. */
export function keeperSection(keepers: readonly Keeper[], country: string, day: string): string {
  const keeper = keepers.find((each) => each.country === country)
  const kept =
    keeper === undefined
      ? `Nobody keeps this country yet. Whoever knows its tax can [adopt it](${ADOPT_FORM}).`
      : `${inMarkdown(keeper)} keeps this country since ${keeper.since}, and read its pages last on ` +
        `${keeper.looked_on}.`
  return `## Is this wrong?\n\n[Report it](${wrongLink({ place: country, day })}) with its source. ${kept}\n`
}

/** All keepers, as a part of the page on coverage. */
export function keepersSection(keepers: readonly Keeper[], countries: number, day: string): string {
  const rows = keepers.map(
    (keeper) =>
      `| ${countryName(keeper.country)} | ${inMarkdown(keeper)} | ${keeper.since} | ${keeper.looked_on} |\n`,
  )
  const table = `\n| Country | Keeper | Since | Last look |\n| --- | --- | --- | --- |\n${rows.join('')}`
  return `## Keepers

${keepers.length} of ${countries} countries have a keeper: a person who reads the changes of its law twice a
year. You can [adopt a country](${ADOPT_FORM}), or [report](${wrongLink({ place: '', day })}) what is wrong.
${rows.length === 0 ? '' : table}`
}

function inMarkdown({ name, url }: Keeper): string {
  return url === null ? name : `[${name}](${url})`
}
