/** The source of a rate that the seller says itself. */
export const OWN_RATE = 'own rate'
