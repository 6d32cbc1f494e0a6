import { faultOfKept, releaseNamed, tagBefore } from './checks/last-release.ts'
import { namedRelease, nameRelease, releaseBefore } from './kept-release.ts'
import { readArguments } from './options.ts'
import { PROJECT } from './wrangler.ts'

/**
 * Names the release before, and builds it: the last tag, or the tag or commit that is given. The tests of the
 * next release run it with the next tables. Run it after a tag, and commit the file. With `--check`, only
 * says whether the file names the last tag before this commit. The tests build what it names.
 */
const { values, positionals } = readArguments({ check: { type: 'boolean', default: false } })

try {
  if (values.check) check()
  else {
    nameRelease(releaseNamed(PROJECT, positionals[0]))
    const { tag, commit } = releaseBefore()
    console.log(`Release: ${tag ?? commit} is the release before, and is built`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function check(): void {
  const before = tagBefore(PROJECT)
  const fault = faultOfKept(namedRelease(), before)
  if (fault !== null) throw new Error(fault)
  if (before === null) console.log('Release: no earlier tag is known here')
}
