import { git } from './git.ts'

type Commit = { hash: string; subject: string }

const SUBJECT_MAX = 72

/**
 * The commits of a checkout that are newer than `base`, newest first, without merges. If a shallow clone does
 * not contain `base`, these are all its commits. Throws if there is no repository.
 */
export function commitsAfter(folder: string, base: string): Commit[] {
  const range = contains(folder, base) ? `${base}..HEAD` : 'HEAD'
  const lines = git(folder, 'log', '--format=%H\t%P\t%s', range).split('\n')
  return lines.flatMap((line) => {
    const [hash = '', parents = '', ...subject] = line.split('\t')
    const merge = parents === '' ? hash !== '' && wasMerge(folder, hash) : parents.includes(' ')
    return hash === '' || merge ? [] : [{ hash, subject: subject.join('\t') }]
  })
}

/** A message for each subject that is longer than 72 characters. */
export function longSubjects(commits: readonly Commit[]): string[] {
  return commits.flatMap(({ hash, subject }) => {
    const { length } = [...new Intl.Segmenter().segment(subject)]
    return length > SUBJECT_MAX
      ? [`${hash.slice(0, 8)}: the subject has ${length} of at most ${SUBJECT_MAX} characters: ${subject}`]
      : []
  })
}

function contains(folder: string, hash: string): boolean {
  try {
    git(folder, 'cat-file', '-e', `${hash}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** Git reports no parents for the last commit of a shallow clone, but the commit itself names them. */
function wasMerge(folder: string, hash: string): boolean {
  const [head = ''] = git(folder, 'cat-file', 'commit', hash).split('\n\n')
  return (head.match(/^parent /gm) ?? []).length > 1
}
