import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT } from './wrangler.ts'

/** npm answers with a list, or with an object by package name. */
const Packed = z.union([
  z.array(z.object({ filename: z.string() })),
  z.record(z.string(), z.object({ filename: z.string() })),
])

/**
 * Builds and packs the package of the client, and returns the path of its file in the folder. PACKED_CLIENT
 * names a file that is packed already: two builds at the same time would write the same folder.
 */
export function packClient(folder: string): string {
  const packed_before = process.env['PACKED_CLIENT']
  if (packed_before !== undefined) return packed_before
  const args = ['pack', '--silent', '--json', '-w', 'tax-compliance', '--pack-destination', folder]
  const printed = execFileSync('npm', args, { cwd: PROJECT, encoding: 'utf8' })
  const [packed] = Object.values(Packed.parse(JSON.parse(printed)))
  if (packed === undefined) throw new Error('npm pack made no file')
  return join(folder, packed.filename)
}
