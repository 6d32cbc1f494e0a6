/**
 * A version of the Worker. `release`: as its deploy named it; null: it did not. `code`: equal if the code is
 * equal. `by_secret`: only a secret was changed.
 */
export type DeployedVersion = {
  id: string
  release: string | null
  code: string
  bindings: readonly string[]
  by_secret: boolean
}

/** A deployment of a version. `rollback`: this command made it. */
export type Deployment = { version: DeployedVersion; created_on: string; rollback: boolean }

/** The message by which a later run knows a deployment of this command. */
export const ROLLBACK_MESSAGE = 'npm run deploy -- --rollback'

/**
 * The version that a rollback runs again: the last one with other code. The one before in time may have the
 * same code, because each change of a secret is a version. `deployments`: newest first. `databases`: the
 * bindings in which accounts may have their books. Throws an Error where a rollback would do harm.
 */
export function versionToRunAgain(
  deployments: readonly Deployment[],
  databases: readonly string[],
): DeployedVersion {
  const [running] = deployments
  if (running === undefined) throw new Error('Nothing is deployed yet')
  if (running.rollback)
    throw new Error(
      'The running release is already one that was rolled back to. Name another one with --to VERSION, or ' +
        'deploy',
    )
  const index = deployments.findIndex(({ version }) => version.code !== running.version.code)
  const found = deployments[index]?.version
  if (found === undefined)
    throw new Error(
      'The last deployments all have the code that is running. Name a version with --to VERSION',
    )
  const lacking = databases.filter((binding) => !found.bindings.includes(binding))
  if (lacking.length > 0)
    throw new Error(
      `The release before has no binding for ${lacking.join(', ')}, so accounts with books there would ` +
        'not be served. Check out its tag, add the databases to its wrangler.toml, and deploy that',
    )
  if (deployments.slice(0, index).some(({ version }) => version.by_secret))
    throw new Error(
      'A secret was changed since the release before, and a rollback would bring its old value back. Check ' +
        'out its tag and deploy that, which keeps the secrets',
    )
  return found
}
