/** A deed of the deploy that is not a command of wrangler. */
export type Deed = 'makeEncryptionKey' | 'loadData'

/** One step of a deploy. `why` is what a rehearsal prints. */
export type Step = { why: string } & ({ wrangler: readonly string[] } | { deed: Deed })

const DEPLOY: Step = { why: 'Upload the Worker', wrangler: ['deploy'] }
const migrate = (binding: string): Step => ({
  why: `Apply the migrations to ${binding}; they only add (expand)`,
  wrangler: ['d1', 'migrations', 'apply', binding, '--remote'],
})
const AFTER: readonly Step[] = [
  { why: 'Make ENCRYPTION_KEY, if the service has none', deed: 'makeEncryptionKey' },
  { why: 'Load the tax data, and make the first key of a new service', deed: 'loadData' },
]

/**
 * The steps of a deploy. The migrations come before the code: they only add, so the running release works
 * with the new tables, and the new release never meets the old ones. A failed migration stops the deploy,
 * and the running release stays. Only a first deploy uploads the Worker first, because that makes the
 * databases. `bindings` are those of the control database and of all shards.
 */
export function deployPlan(databases_exist: boolean, bindings: readonly string[]): readonly Step[] {
  const migrations = bindings.map(migrate)
  return [...(databases_exist ? [...migrations, DEPLOY] : [DEPLOY, ...migrations]), ...AFTER]
}

/**
 * The steps of a rollback: the release before runs again. The migrations stay, because the release before
 * works with the new tables.
 */
export function rollbackPlan(): readonly Step[] {
  return [
    {
      why: 'Run the release before again; the tables stay as they are',
      wrangler: ['rollback', '--message', 'npm run deploy -- --rollback', '--yes'],
    },
  ]
}

/** A step as a rehearsal prints it. */
export function describeStep(step: Step, environment: string): string {
  return 'wrangler' in step ? `${step.why}: wrangler ${[...step.wrangler, environment].join(' ')}` : step.why
}
