import * as z from 'zod'
import { changedFaults, type DatedRecord, KINDS } from './checks/changed-facts.ts'
import { git } from './checks/git.ts'
import { readRecords } from './country-files.ts'
import { namedRelease } from './kept-release.ts'
import { Day } from './shipped-data/fields.ts'
import { PROJECT } from './wrangler.ts'

/** Says which rates and thresholds have changed since the release before without a newer day or a source. */
const Records = z.array(
  z.looseObject({
    effective_from: Day.nullable(),
    source: z.string(),
    source_url: z.string(),
    verified_at: Day.nullable(),
  }),
)
const File = z.object({ records: z.record(z.string(), z.unknown()) })

const { commit } = namedRelease()
const before = releasedFiles()
if (before === null) console.log(`Facts: not checked. Commit ${commit} of the release before is not here`)
else {
  const wrong = Object.entries(KINDS).flatMap(([name, kind]) =>
    changedFaults(kind, recordsIn(before, name), Records.parse(readRecords(name))),
  )
  for (const line of wrong) console.error(line)
  if (wrong.length === 0) console.log('Facts: each changed rate and threshold has a newer day and a source')
  process.exitCode = wrong.length > 0 ? 1 : 0
}

/** The files of data/ with rates and thresholds in the release before, by their paths; null: not here. */
function releasedFiles(): Map<string, unknown> | null {
  const paths = [...Object.keys(KINDS).map((name) => `data/${name}.json`), 'data/countries']
  try {
    const listed = git(PROJECT, 'ls-tree', '-r', '--name-only', commit, ...paths)
      .trim()
      .split('\n')
    return new Map(listed.map((path) => [path, JSON.parse(git(PROJECT, 'show', `${commit}:${path}`))]))
  } catch {
    // A shallow clone, or an archive of the files.
    return null
  }
}

function recordsIn(files: ReadonlyMap<string, unknown>, name: string): DatedRecord[] {
  const own = Records.parse(files.get(`data/${name}.json`))
  const ofCountries = [...files].flatMap(([path, file]) =>
    path.startsWith('data/countries/') ? Records.parse(File.parse(file).records[name] ?? []) : [],
  )
  return [...own, ...ofCountries]
}
