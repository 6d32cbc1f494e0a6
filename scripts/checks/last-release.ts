import { git } from './git.ts'

/** A release in the repository. */
export type Tagged = { tag: string | null; commit: string }

/**
 * The release before this commit: the newest tag of its history that is not the commit itself. Null: there is
 * none, or a shallow clone does not have it.
 */
export function tagBefore(folder: string): Tagged | null {
  const tag = described(folder, 'HEAD^')
  return tag === null ? null : { tag, commit: commitOf(folder, tag) }
}

/** The release of a name, e.g. of a tag or commit; without a name that of the newest tag. */
export function releaseNamed(folder: string, name: string | undefined): Tagged {
  const wanted = name ?? described(folder, 'HEAD')
  if (wanted === null) throw new Error('There is no tag. Tag the release first, or name its commit')
  const tags = git(folder, 'tag', '--list', wanted).trim()
  return { tag: tags === wanted ? wanted : null, commit: commitOf(folder, wanted) }
}

/** What is wrong with the kept release; null: it is the release before, or that is not known here. */
export function faultOfKept(kept: Tagged, before: Tagged | null): string | null {
  if (before === null || before.commit === kept.commit) return null
  return (
    `test/release.json names ${kept.tag ?? kept.commit}, and the release before is ${before.tag}. ` +
    'Run npm run release:keep, and commit the file'
  )
}

function described(folder: string, commit: string): string | null {
  try {
    return git(folder, 'describe', '--tags', '--abbrev=0', commit).trim()
  } catch {
    return null
  }
}

function commitOf(folder: string, name: string): string {
  return git(folder, 'rev-parse', '--verify', '--end-of-options', `${name}^{commit}`).trim()
}
