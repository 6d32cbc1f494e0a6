import { ROLLBACK_MESSAGE } from './release-to-run-again.ts'

/** A deed of the deploy that is not a command of wrangler. */
export type Deed = 'checkAccess' | 'makeEncryptionKey' | 'loadData' | 'forgetBooks'

/** One step of a deploy. `why` is what a rehearsal prints. */
export type Step = { why: string } & ({ wrangler: readonly string[] } | { deed: Deed })

const CHECK: Step = {
  why: 'Check what the token may do; a run without a token skips this',
  deed: 'checkAccess',
}
const deploy = (release: string): Step => ({
  why: 'Upload the Worker',
  wrangler: ['deploy', '--message', release],
})
const migrate = (binding: string): Step => ({
  why: `Apply the migrations to ${binding}; they only add (expand)`,
  wrangler: ['d1', 'migrations', 'apply', binding, '--remote'],
})
const makeDatabase = (name: string, jurisdiction: string): Step => ({
  why: `Make ${name} in the jurisdiction ${jurisdiction}, which cannot be changed later`,
  wrangler: ['d1', 'create', name, '--jurisdiction', jurisdiction],
})
const KEY: Step = { why: 'Make ENCRYPTION_KEY, if the service has none', deed: 'makeEncryptionKey' }
const DATA: Step = { why: 'Load the tax data, and make the first key of a new service', deed: 'loadData' }

/** `make`: the missing databases. A deploy with a jurisdiction makes them before the upload does. */
type Databases = { exist: boolean; make?: readonly string[]; jurisdiction?: string | null }

/**
 * The steps of a deploy. The migrations come before the code: they only add, so the running release works
 * with the new tables, and the new release never meets the old ones. A failed migration stops the deploy,
 * and the running release stays. Only a first deploy uploads the Worker first, because that makes the
 * databases. `bindings` are those of the control database and of all shards. Each step can be repeated, so a
 * deploy that died anywhere is run again. `release` is what `npm run deployed` prints.
 */
export function deployPlan(
  { exist, make = [], jurisdiction = null }: Databases,
  bindings: readonly string[],
  release: string,
  with_data = true,
): readonly Step[] {
  const migrations = bindings.map(migrate)
  const upload = deploy(release)
  const made = jurisdiction === null ? [] : make.map((name) => makeDatabase(name, jurisdiction))
  return [
    CHECK,
    ...made,
    ...(exist || made.length > 0 ? [...migrations, upload] : [upload, ...migrations]),
    KEY,
    ...(with_data ? [DATA] : []),
  ]
}

/**
 * The steps of a rollback to a version: it runs again. The migrations stay, because the release before works
 * with the new tables. The books in force are made anew from the database: those of the release before are as
 * old as its last day. That comes first, because a rollback that is run twice would not be the same.
 */
export function rollbackPlan(version: string): readonly Step[] {
  return [
    CHECK,
    { why: 'Let the release read the books in force from the database', deed: 'forgetBooks' },
    {
      why: 'Run the release before again; the tables stay as they are',
      wrangler: ['rollback', version, '--message', ROLLBACK_MESSAGE, '--yes'],
    },
  ]
}

/** A step as a rehearsal prints it. */
export function describeStep(step: Step, environment: string): string {
  return 'wrangler' in step ? `${step.why}: wrangler ${[...step.wrangler, environment].join(' ')}` : step.why
}
