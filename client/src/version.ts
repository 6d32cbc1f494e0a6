/** The version of the package, as in its package.json. */
export const VERSION = '1.0.0'
