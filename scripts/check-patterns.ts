import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readSources } from './read-sources.ts'
import { PROJECT } from './wrangler.ts'

// Its other forms are a Java archive and a binary, and each call would start a process.
process.env['RECHECK_BACKEND'] = 'pure'

/**
 * No pattern that sees what a caller sends may take more than linear time: a stranger chooses the length of a
 * header or of a text. This reads the patterns of src/ and of the packages in the built Worker, those that
 * code makes of parts or of data. Collectors read official documents in invocations of their own.
 */
const { patternsOf, slownessOf } = await import('./checks/patterns.ts')

/** Patterns that may be slow, each with the reason. */
const SLOW_PATTERNS: ReadonlyMap<string, string> = new Map([
  [String.raw`/\{[^}]+\}/g`, 'Hono: it reads the paths of our routes'],
  [String.raw`/\{(?:\{[\d,]+\}|[^}])+\}/g`, 'Hono: it reads the paths of our routes'],
  [String.raw`/^\s+(.*)$/`, 'oauth4webapi: a header of the provider that the operator has chosen'],
  ['/^-+|-+$/g', 'zod: its slugify(), which nothing here calls'],
])

const patterns = new Set([...writtenPatterns(), ...(await madePatterns())])
const slow = [...patterns].flatMap((pattern) => {
  const why = slownessOf(pattern)
  return why === null ? [] : [{ pattern, why }]
})
for (const { pattern, why } of slow)
  if (!SLOW_PATTERNS.has(pattern)) {
    console.error(`${pattern}: ${why}. Bound the text, or write a pattern that takes linear time`)
    process.exitCode = 1
  }
for (const pattern of SLOW_PATTERNS.keys())
  if (!slow.some((each) => each.pattern === pattern))
    console.warn(`scripts/check-patterns.ts: remove the exception of ${pattern}, it is not needed any more`)
console.log(`${patterns.size} patterns see input, and ${slow.length} of them may be slow`)

/** The patterns of the built Worker, with those of its packages, but for those of the collectors. */
function writtenPatterns(): string[] {
  const built = readSources(['dist/worker/*.js'])
  if (built.size === 0) throw new Error('dist/worker/ is empty: run npm run build')
  const typed = new Map([...built].map(([path, text]) => [`${path}.ts`, text]))
  const own = patternsOf(readSources(['src/**/*.{ts,tsx}']))
  const collectors = patternsOf(readSources(['collectors/**/*.ts']))
  return [...patternsOf(typed)].filter((pattern) => own.has(pattern) || !collectors.has(pattern))
}

/** The patterns that the modules of src/ make of parts when they are evaluated: `new RegExp(…)`. */
async function madePatterns(): Promise<ReadonlySet<string>> {
  const made = new Set<string>()
  const { RegExp } = globalThis
  globalThis.RegExp = new Proxy(RegExp, {
    construct: (target, [source, flags]: [string | RegExp, string?]) => {
      const pattern = new target(source, flags)
      made.add(String(pattern))
      return pattern
    },
  })
  for (const [path, text] of readSources(['src/**/*.ts']))
    if (text.includes('new RegExp(')) await import(pathToFileURL(join(PROJECT, path)).href)
  globalThis.RegExp = RegExp
  return made
}
