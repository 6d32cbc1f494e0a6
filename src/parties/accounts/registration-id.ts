import { isScheme } from '../../engine/ground/schemes.ts'
import { canonicalId } from '../../platform/http/field-rules.ts'

/** A registration as the engine names it: a scheme, or the id of a jurisdiction. */
export function registrationId(id: string): string {
  return isScheme(id) ? id : canonicalId(id)
}
