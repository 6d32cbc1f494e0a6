/** The used parts of package.json. */
export type Manifest = {
  name: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  scripts: Record<string, string>
}

type Packages = {
  manifest: Manifest
  /** Why each package is there. */
  described: Readonly<Record<string, string>>
  /** Packages that the Worker and the collectors import. */
  importedToRun: ReadonlySet<string>
  /** Packages that any file imports or a configuration names. */
  imported: ReadonlySet<string>
  /** The names of the commands that a package installs. */
  commandsOf: (name: string) => readonly string[]
  /** The name of the typed client. Tests and examples may import it, and the service must not. */
  client: string
}

/** Used packages that no file imports. */
const KNOWN_UNIMPORTED: ReadonlySet<string> = new Set([
  // oxlint starts it for the rules that need types.
  'oxlint-tsgolint',
])

/**
 * The packages that a source imports, without modules of workerd and of the project itself. The name of
 * `node:fs` is node, and the name of `hono/jsx` is hono.
 */
export function packagesImportedBy(source: string): string[] {
  return [...source.matchAll(/\b(?:from|import|import\(|resolve\(|require\()\s*'([^'\n]+)'/g)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => /^(@?[a-z]|node:)/.test(specifier) && !specifier.startsWith('cloudflare:'))
    .map((specifier) => (specifier.startsWith('node:') ? 'node' : packageOf(specifier)))
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** A sentence for every difference between package.json, the lines about packages and the imports. */
export function dependencyFaults(packages: Packages): string[] {
  const { manifest, described, importedToRun, imported, client } = packages
  const run = Object.keys(manifest.dependencies)
  const build = Object.keys(manifest.devDependencies)
  const declared = new Set([...run, ...build, client, 'node'])
  return [
    ...lineFaults([...run, ...build], described, 'scripts/help/packages.ts'),
    ...run
      .filter((name) => !importedToRun.has(name) && !KNOWN_UNIMPORTED.has(name))
      .map((name) => `package.json: ${name} is a dependency, and neither src nor collectors imports it`),
    ...build
      .filter((name) => !isUsedToBuild(name, packages) && !KNOWN_UNIMPORTED.has(name))
      .map((name) => `package.json: ${name} is imported nowhere, and no script runs it`),
    ...[...imported]
      .filter((name) => !declared.has(name))
      .map((name) => `package.json: ${name} is imported, and is not a dependency`),
    ...(importedToRun.has(client) ? [`package.json: the service must not import ${client}`] : []),
  ]
}

/** A sentence for each package that the client imports: it has no dependency. */
export function clientFaults(imported: ReadonlySet<string>): string[] {
  return [...imported].filter((name) => name !== 'node').map((name) => `client: must not import ${name}`)
}

/** A sentence for each name without a line in the file, and for each line without a name of package.json. */
export function lineFaults(
  names: readonly string[],
  lines: Readonly<Record<string, string>>,
  file: string,
): string[] {
  return [
    ...names.filter((name) => !Object.hasOwn(lines, name)).map((name) => `${file}: say what ${name} is for`),
    ...Object.keys(lines)
      .filter((name) => !names.includes(name))
      .map((name) => `${file}: package.json has no ${name}: remove its line`),
  ]
}

/** Types are used with the package that they describe, and a tool if a script names one of its commands. */
function isUsedToBuild(name: string, { manifest, imported, commandsOf }: Packages): boolean {
  if (name.startsWith('@types/')) return imported.has(name.slice('@types/'.length))
  const words = new Set(Object.values(manifest.scripts).flatMap((script) => script.split(/\s+/)))
  return imported.has(name) || commandsOf(name).some((command) => words.has(command))
}
