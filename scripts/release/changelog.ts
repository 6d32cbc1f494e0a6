const UNRELEASED = '## Unreleased\n'

/** What the next release changes, as CHANGELOG.md says it; '' for nothing. */
export function unreleasedOf(changelog: string): string {
  const from = changelog.indexOf(UNRELEASED)
  if (from < 0) return ''
  const text = changelog.slice(from + UNRELEASED.length)
  const end = text.search(/^## /m)
  return (end < 0 ? text : text.slice(0, end)).trim()
}

/** The changelog after a release: what was not released yet has a version and a day. */
export function withRelease(changelog: string, version: string, day: string): string {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${day})\n`)
}
