import { type Deployment, versionToRunAgain } from './release-to-run-again.ts'

/** What an account has before a deploy. */
export type FoundInAccount = {
  /** Newest first; none: no Worker has the name. */
  deployments: readonly Deployment[]
  /** The databases of the configuration that do not exist. */
  missing: readonly string[]
  /** The migrations that each database lacks. */
  pending: readonly { database_name: string; names: readonly string[] }[]
}

/** What a deploy brings: the name of the Worker, its release, and its bindings and variables. */
type Deployed = {
  name: string
  release: string
  bindings: readonly string[]
  /** Those of the databases, in which accounts may have their books. */
  databases: readonly string[]
}

/** What an operator looks at before a deploy, a line for each. */
export function outlookOf(found: FoundInAccount, deployed: Deployed): string[] {
  const { deployments, missing, pending } = found
  const [running] = deployments
  return [
    running === undefined
      ? `The name ${deployed.name} is free: this is a first deploy`
      : `${deployed.name} runs ${nameOf(running.version.release)} since ${running.created_on}`,
    ...(missing.length === 0 ? [] : [`Is made: ${missing.join(', ')}`]),
    ...(running === undefined ? [] : bindingLines(running.version.bindings, deployed.bindings)),
    migrationLine(pending),
    afterwards(deployments, deployed),
  ]
}

function nameOf(release: string | null): string {
  return release ?? 'a release of no name'
}

function migrationLine(pending: FoundInAccount['pending']): string {
  const lacking = pending.filter(({ names }) => names.length > 0)
  if (lacking.length === 0) return 'No migration is pending'
  const named = lacking.map(({ database_name, names }) => `${database_name}: ${listed(names)}`)
  return `Pending migrations: ${named.join('; ')}`
}

function bindingLines(before: readonly string[], after: readonly string[]): string[] {
  const added = after.filter((name) => !before.includes(name))
  const gone = before.filter((name) => !after.includes(name))
  return [
    added.length === 0 ? 'No binding or variable is new' : `New bindings and variables: ${listed(added)}`,
    ...(gone.length === 0
      ? []
      : [`TAKEN AWAY, because neither wrangler.toml nor wrangler.own.toml has it: ${listed(gone)}`]),
  ]
}

/** What a rollback would do after this deploy. */
function afterwards(deployments: readonly Deployment[], { release, databases }: Deployed): string {
  if (deployments.length === 0) return 'A rollback is not possible after a first deploy'
  const version = { id: '', release, code: 'the code of this deploy', bindings: databases, by_secret: false }
  try {
    const again = versionToRunAgain([{ version, created_on: '', rollback: false }, ...deployments], databases)
    return `A rollback would then run ${nameOf(again.release)} again (${again.id}); the migrations would stay`
  } catch (error) {
    return `A rollback would then be refused: ${error instanceof Error ? error.message : String(error)}`
  }
}

const LISTED_MAX = 12

function listed(names: readonly string[]): string {
  const more = names.length - LISTED_MAX
  return names.slice(0, LISTED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
