/** The services whose codes we know. */
export const CODE_SYSTEMS = ['taxjar', 'stripe', 'avalara'] as const
export type CodeSystem = (typeof CODE_SYSTEMS)[number]

/**
 * `exact`: both name the same supply. `near`: the edges differ. `broader`: one of the two is wider, so the
 * line is uncertain. `not_taxable`: the code says that no tax is due. `none`: no type of ours is right in all
 * places.
 */
export const CERTAINTIES = ['exact', 'near', 'broader', 'not_taxable', 'none'] as const
export type Certainty = (typeof CERTAINTIES)[number]
