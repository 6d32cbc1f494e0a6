/** Returns the value with each reference to a component of the document replaced by this component. */
export function inlineRefs(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((each) => inlineRefs(each, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest }: { $ref?: unknown } = value
  const target = typeof $ref === 'string' ? targetOf($ref, document) : {}
  return Object.fromEntries(
    Object.entries({ ...target, ...rest }).map(([key, each]) => [key, inlineRefs(each, document)]),
  )
}

/** The target of e.g. `#/components/schemas/Meta` in the document. */
function targetOf(ref: string, document: object): object {
  let found: unknown = document
  for (const step of ref.split('/').slice(1)) found = Object(found)[step]
  return Object(found)
}
