/** The most bytes of a D1 database. */
export const DATABASE_BYTES_MAX = 10_000_000_000
