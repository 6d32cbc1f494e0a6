/** What the builder puts in: the version of package.json and the commit, e.g. `1.0.0+34b59e71abcd`. */
declare const BUILT_RELEASE: string | undefined

/** The release that runs, for headers and log lines. Tests run the sources, which nobody built. */
export const RELEASE = typeof BUILT_RELEASE === 'undefined' ? '0.0.0' : BUILT_RELEASE
