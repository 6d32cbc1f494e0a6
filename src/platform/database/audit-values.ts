import { sha256 } from '../kit/sha256.ts'

type FieldValue = string | number | null

/** The values of changed fields before and after; null: there was none. */
export type FieldValues = Readonly<Record<string, { old: FieldValue; new: FieldValue }>>

/** Fields that are personal or secret: the audit log gets a salted hash of their values. */
export type HashedFields = { names: ReadonlySet<string>; salt: string }

const NO_FIELDS: HashedFields = { names: new Set(), salt: '' }

/** Every version of a row has its own, so they say nothing. Secrets are not even hashed. */
const LEFT_OUT = new Set(['id', 'created_at', 'updated_at', 'audit_salt', 'secret', 'previous_secret'])

/** A longer text is hashed, so that an audit event stays small. */
const CLEAR_MAX = 500

/**
 * The fields whose values differ between two versions of a row, with both values. `before` is null for a new
 * row, `after` for a deleted one.
 */
export async function valuesOf(
  before: object | null,
  after: object | null,
  hashed = NO_FIELDS,
): Promise<FieldValues> {
  const old = new Map<string, unknown>(Object.entries(before ?? {}))
  const next = new Map<string, unknown>(Object.entries(after ?? {}))
  const values: Record<string, FieldValues[string]> = {}
  for (const name of new Set([...old.keys(), ...next.keys()])) {
    const [from, to] = [plain(old.get(name)), plain(next.get(name))]
    if (LEFT_OUT.has(name) || from === to) continue
    values[name] = { old: await shown(name, from, hashed), new: await shown(name, to, hashed) }
  }
  return values
}

function plain(value: unknown): FieldValue {
  if (value === undefined || value === null) return null
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
}

async function shown(name: string, value: FieldValue, { names, salt }: HashedFields): Promise<FieldValue> {
  if (value === null) return null
  if (!names.has(name) && String(value).length <= CLEAR_MAX) return value
  return `sha256:${await sha256(`${salt}|${name}|${value}`)}`
}

/**
 * The salt of the hashes of a person's data. It is deleted with the person, and then nobody can guess the
 * data from the hashes.
 */
export function newAuditSalt(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
