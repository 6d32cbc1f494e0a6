import { type Placed, readJurisdictions } from './deployed.ts'

/** Where D1 keeps a database, and R2 a bucket, if the operator says so when it is made. */
const JURISDICTIONS = ['eu', 'us'] as const

/** The jurisdiction that an option names; null: it names none. Throws an Error. */
export function jurisdictionNamed(value: string | undefined): string | null {
  if (value === undefined) return null
  const known = JURISDICTIONS.find((each) => each === value)
  if (known === undefined) throw new Error(`--jurisdiction must be one of ${JURISDICTIONS.join(', ')}`)
  return known
}

/**
 * The jurisdiction of an installation: that of its databases, or the wanted one if there are none. Throws an
 * Error if a database is elsewhere.
 */
function jurisdictionOf(placed: readonly Placed[], wanted: string | null): string | null {
  const [control] = placed
  const other = placed.find(({ jurisdiction }) => wanted !== null && jurisdiction !== wanted)
  if (other !== undefined)
    throw new Error(
      `${other.name} is in ${other.jurisdiction ?? 'no jurisdiction'}. ` +
        'D1 takes a jurisdiction only when a database is made, and never changes it. Make a second ' +
        'installation (another name in wrangler.toml) with --jurisdiction, and load a backup into it: ' +
        'npm run restore-backup',
    )
  return control === undefined ? wanted : control.jurisdiction
}

/** The same for a deployed environment. */
export async function deployedJurisdiction(
  environment: string,
  wanted: string | null = null,
): Promise<string | null> {
  return jurisdictionOf(await readJurisdictions(environment), wanted)
}
