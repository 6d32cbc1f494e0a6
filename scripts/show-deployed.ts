import { z } from 'zod'
import { readDeployments } from './deployed.ts'
import { readOptions } from './options.ts'
import { releaseOf } from './release.ts'
import { PROJECT } from './wrangler.ts'

/** Prints which releases were deployed, newest first, beside that of this checkout. */
const options = readOptions({ env: { type: 'string', default: '' }, url: { type: 'string' } })
const Health = z.object({ version: z.string(), commit: z.string().nullable() })

try {
  const deployments = await readDeployments(options.env)
  if (deployments.length === 0) console.log('Nothing is deployed yet')
  // A change of a secret is a version of its own, with the code of the one before and no name.
  const names = new Map(
    deployments.map(({ version }) => [version.code, version.release] as const).filter(([, name]) => name),
  )
  for (const [index, { created_on, rollback, version }] of deployments.entries()) {
    const name = names.get(version.code) ?? 'a release of no name'
    const why = `${rollback ? '  by a rollback' : ''}${version.by_secret ? '  a secret was changed' : ''}`
    console.log(`${index === 0 ? 'runs' : 'before'}  ${created_on}  ${name}  ${version.id}${why}`)
  }
  console.log(`this checkout  ${releaseOf(PROJECT)}`)
  if (options.url !== undefined) console.log(`${options.url} answers  ${await answeredBy(options.url)}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function answeredBy(origin: string): Promise<string> {
  const response = await fetch(new URL('/health', origin), { signal: AbortSignal.timeout(20_000) })
  const { version, commit } = Health.parse(await response.json())
  return commit === null ? version : `${version}+${commit}`
}
