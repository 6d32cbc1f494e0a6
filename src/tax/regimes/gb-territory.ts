/**
 * The places whose sales are on British VAT returns: Great Britain, Northern Ireland (VATA 1994, s. 40A) and
 * the Isle of Man (Isle of Man Act 1979, s. 6).
 */
export const BRITISH_TERRITORY: ReadonlySet<string> = new Set(['GB', 'XI', 'IM'])
