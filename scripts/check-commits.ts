import { commitsAfter, longSubjects } from './checks/commits.ts'
import { PROJECT } from './wrangler.ts'

/** Older subjects are merged and cannot be changed. */
const BASE = 'bdd55fbb3fd1226913c2be68e52de8d470809603'

try {
  const commits = commitsAfter(PROJECT, BASE)
  const wrong = longSubjects(commits)
  for (const line of wrong) console.error(line)
  if (wrong.length === 0) console.log(`Commits: ${commits.length} subjects are short enough`)
  process.exitCode = wrong.length > 0 ? 1 : 0
} catch (error) {
  // There are no commits to check in an archive of the files, or on a machine without git.
  console.log(`Commits: not checked. ${error instanceof Error ? error.message.trim() : String(error)}`)
}
