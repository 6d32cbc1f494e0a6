import { globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Feature, Route } from '../src/platform/http/route.ts'
import { TAGS } from '../src/platform/http/tags.ts'
import { keysOf } from '../src/platform/kit/keys-of.ts'

/** A feature, with its file and the name of its export. */
type FoundFeature = Feature & { file: string; name: string }

const LIST = 'src/interfaces/features.generated.ts'
const GROUPS = 'src/service/feature-groups.generated.ts'

const HEAD = '// Made by `npm run generate` from the features of src/. Do not edit.\n'

/**
 * The list of all features, and the groups of features that are loaded together. A start evaluates the groups
 * and none of the routes. Throws an Error that says what a route or a feature lacks.
 */
export async function featureFiles(project: string): Promise<Map<string, string>> {
  const features = await findFeatures(project)
  const faults = features.flatMap(faultsOf)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return new Map([
    [LIST, listText(features)],
    [GROUPS, groupsText(groupsOf(features))],
  ])
}

/** All features, in the order of their tags. */
async function findFeatures(project: string): Promise<FoundFeature[]> {
  const features: FoundFeature[] = []
  for (const file of globSync(['src/*/*/**/routes.ts', 'src/**/*-routes.ts'], { cwd: project }).toSorted()) {
    const exported: Record<string, unknown> = await import(pathToFileURL(join(project, file)).href)
    for (const [name, value] of Object.entries(exported)) {
      if (isFeature(value)) features.push({ ...value, file, name })
      if (Array.isArray(value) && value.some(isForClient))
        throw new Error(`${file}: ${name} is no feature. Say what it serves: feature(['/v1/…'], [route(…)])`)
    }
  }
  const tags = keysOf(TAGS)
  const rank = ({ routes, serves }: Feature) =>
    [tags.indexOf(routes[0]?.tag ?? 'Status'), serves[0] ?? ''] as const
  return features.toSorted((one, other) => {
    const [[tag, path], [otherTag, otherPath]] = [rank(one), rank(other)]
    return tag - otherTag || path.localeCompare(otherPath)
  })
}

function isFeature(value: unknown): value is Feature {
  return typeof value === 'object' && value !== null && 'serves' in value && 'routes' in value
}

function isForClient(value: Partial<Route>): boolean {
  return value.handle !== undefined && value.method !== undefined && value.client !== null
}

/** What is missing, as the compiler does not see it: Node runs the files without their types. */
export function faultsOf({
  file,
  serves,
  routes,
}: Pick<FoundFeature, 'file' | 'serves' | 'routes'>): string[] {
  return routes.flatMap((route) => {
    const named = `${file}: ${route.method.toUpperCase()} ${route.path}`
    const isServed = serves.some((path) =>
      path.endsWith('/') ? route.path.startsWith(path) : `${route.path}/`.startsWith(`${path}/`),
    )
    return [
      ...(typeof route.client === 'string'
        ? []
        : [`${named} has no \`client\`: name its method in the client, such as 'nexus.get'`]),
      ...(isServed ? [] : [`${named} is below no path of \`serves\` in its file: add its path there`]),
    ]
  })
}

/** Features with a path in common, so that the order of loading decides nothing. */
function groupsOf(features: readonly FoundFeature[]): FoundFeature[][] {
  return features.reduce<FoundFeature[][]>((groups, feature) => {
    const shares = (group: FoundFeature[]) =>
      group.some(({ serves }) => serves.some((path) => feature.serves.includes(path)))
    return [...groups.filter((group) => !shares(group)), [...groups.filter(shares).flat(), feature]]
  }, [])
}

function listText(features: readonly FoundFeature[]): string {
  const imports = features.map(({ file, name }) => `import { ${name} } from '${fromFile(LIST, file)}'\n`)
  return `${HEAD}${imports.join('')}
/** All features. */
export const FEATURES = [\n${features.map(({ name }) => `  ${name},\n`).join('')}]\n`
}

/** The longest path is first, because the first group whose pattern matches serves a request. */
function groupsText(groups: readonly FoundFeature[][]): string {
  const length = (group: readonly FoundFeature[]) => Math.max(...pathsOf(group).map((path) => path.length))
  const sorted = groups.toSorted((one, other) => length(other) - length(one))
  return `${HEAD}
/** The features that are loaded together, and the paths below /v1/ that they serve, as a pattern. */
export const FEATURE_GROUPS = [\n${sorted.map(groupText).join('')}]\n`
}

function groupText(group: readonly FoundFeature[]): string {
  const loaded = group.map(({ file, name }) => `(await import('${fromFile(GROUPS, file)}')).${name}`)
  const load = `async () => [${loaded.join(', ')}]`
  return `  {\n    serves: '${patternOf(pathsOf(group))}',\n    load: ${load},\n  },\n`
}

function pathsOf(group: readonly FoundFeature[]): string[] {
  return [...new Set(group.flatMap(({ serves }) => serves))]
}

/** The paths below `/v1/` as a pattern. A start evaluates it, so what is common to all is not in it. */
function patternOf(paths: readonly string[]): string {
  return paths.map((path) => `${path.slice(ROOT.length)}${path.endsWith('/') ? '.*' : ''}`).join('|')
}

const ROOT = '/v1/'

function fromFile(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to).replace(/^(?!\.)/, './')
}
