import 'vitest'

/** What the process of vitest tells those of the files. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The service that all files of a project share. `keys` is by the path of a file. */
    served: { origin: string; state: string; keys: Record<string, string> }
    /** SEEDS, which is 20 by default: ten interleavings for each. */
    seeds: number
  }
}
