import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { PACKAGES, versionOf } from './versions.ts'

const Shared = z.object({
  homepage: z.string(),
  bugs: z.string(),
  license: z.string(),
  author: z.string(),
})
const Root = Shared.extend({ repository: z.object({ type: z.string(), url: z.string() }) })
const Published = z.looseObject({
  name: z.string(),
  private: z.literal(true).optional(),
  peerDependencies: z.record(z.string(), z.string()).default({}),
})

/** The folders of the packages that a release publishes: the client and the plugins. */
export function publishedFolders(project: string): string[] {
  const others = globSync(PACKAGES, { cwd: project }).filter((path) => path !== 'package.json')
  return others
    .toSorted()
    .filter((path) => Published.parse(read(project, path)).private !== true)
    .map((path) => dirname(path))
}

/** A sentence for each published package that lacks what a registry shows, or differs from package.json. */
export function packageFaults(project: string): string[] {
  const { repository, ...shared } = Root.parse(read(project, 'package.json'))
  const client = `^${versionOf(project).split('.')[0]}.0.0`
  const license = readFileSync(join(project, 'LICENSE'), 'utf8')
  return publishedFolders(project).flatMap((folder) => {
    const path = `${folder}/package.json`
    const found = Published.parse(read(project, path))
    const wanted = {
      ...shared,
      repository: { ...repository, directory: folder },
      publishConfig: { access: 'public', provenance: true },
    }
    const different = Object.entries(wanted).filter(
      ([field, value]) => JSON.stringify(found[field]) !== JSON.stringify(value),
    )
    return [
      ...different.map(([field, value]) => `${path}: ${field} has to be ${JSON.stringify(value)}`),
      ...(/^(tax-compliance|@tax-compliance\/[a-z]+)$/.test(found.name)
        ? []
        : [`${path}: ${found.name} has to be in the scope @tax-compliance`]),
      ...((found.peerDependencies['tax-compliance'] ?? client) === client
        ? []
        : [`${path}: the plugin has to need the client ${client}`]),
      ...(textOf(join(project, folder, 'LICENSE')) === license ? [] : [`${folder}: LICENSE is not ours`]),
    ]
  })
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function read(project: string, path: string): unknown {
  return JSON.parse(readFileSync(join(project, path), 'utf8'))
}
