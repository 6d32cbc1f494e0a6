/**
 * The event that records a sale has the id of the sale with another prefix, so the primary key finds it, and
 * the index on resources does without it. A statement that looks for other events of a resource has to say
 * this. Events of sales from before 2026-11-30 have ids of their own.
 */
export const HAS_OWN_ID = 'substr("id", 5) <> substr("resource_id", 5)'

/** The id of the event that records a resource. Only for a resource whose id was made just now. */
export function auditIdOf(resource_id: string): string {
  return `aud_${resource_id.slice(4)}`
}
