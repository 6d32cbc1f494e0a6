/** The rules of metadata that are functions. They need no zod: see src/platform/http/field-rules.ts. */

/** A record would drop a key named __proto__ without an error, so such a key is refused first. */
export function hasNoPrototypeKey(value: unknown): boolean {
  return typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__')
}

/** Counted before its keys are looked at one by one: a body has room for 80,000. */
export function hasFewKeys(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length <= 50
}
